// A quantity typed in the list: stored until it is approved, and checked while it is typed.
sap.ui.define(['sap/ui/core/format/NumberFormat'], (NumberFormat) => {
  /** What was typed, by the proposal's ID: as long as the tab is open, signing in again included. */
  const KEPT = 'restock.buyer.typed'
  const typed = new Map(JSON.parse(globalThis.sessionStorage.getItem(KEPT) ?? '[]'))
  const keep = () => globalThis.sessionStorage.setItem(KEPT, JSON.stringify([...typed]))

  const shownNumber = (value) =>
    NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

  /** Digits of a whole number as the person's language groups them; any other text as it is. */
  function digitsOf(text) {
    const options = { groupingEnabled: true, strictGroupingValidation: true }
    const value = NumberFormat.getIntegerInstance(options).parse(text)
    return Number.isSafeInteger(value) ? String(value) : text
  }

  /** Keeps what was typed for a proposal; nothing where it is the proposed quantity. @returns its digits */
  function keepTyped(ID, text, proposed) {
    const value = digitsOf(text.trim())
    if (value === String(proposed)) typed.delete(Number(ID))
    else typed.set(Number(ID), value)
    keep()
    return value
  }

  /** The value of each row as the service told it, while another quantity is typed. */
  const told = new Map()

  /** The row's value is that of the quantity typed for it: shown, and stored nowhere. */
  function follow(context) {
    const { ID, value, unitCost } = context.getObject()
    const quantity = Number(typed.get(Number(ID)))
    if (typed.has(Number(ID)) && quantity > 0 && unitCost !== null) {
      if (!told.has(Number(ID))) told.set(Number(ID), value)
      context.setProperty('value', (Math.round(quantity * unitCost * 100) / 100).toFixed(2), null)
    } else if (told.has(Number(ID))) {
      context.setProperty('value', told.get(Number(ID)), null)
      told.delete(Number(ID))
    }
  }

  /** The text that says what is wrong, with its values; null where the quantity can be ordered. */
  function fault(text, { moq, lotSize, calculatedQuantity }) {
    const [least, lot, calculated] = [moq, lotSize, calculatedQuantity].map(Number)
    const quantity = Number(text)
    if (!Number.isSafeInteger(quantity) || quantity <= 0) return ['quantityNotWhole', []]
    if (quantity < least) return ['quantityBelow', [least]]
    if (lot > 0 && quantity % lot) {
      const below = Math.floor(quantity / lot) * lot
      const nearest = [below, below + lot].map((near) =>
        Math.max(near, Math.ceil(least / lot) * lot),
      )
      return ['quantityLots', [lot, ...nearest]]
    }
    return quantity > 10 * calculated ? ['quantityAbove', [calculated]] : null
  }

  async function say(input, found) {
    input.setValueState(found ? 'Error' : 'None')
    if (!found) return
    const bundle = await input.getModel('i18n').getResourceBundle()
    input.setValueStateText(bundle.getText(found[0], found[1].map(shownNumber)))
  }

  return {
    fault,
    digitsOf,
    /** What is wrong with the quantity typed for a row; null where nothing is, or nothing was typed. */
    faultOf: (row) => (typed.has(Number(row.ID)) ? fault(typed.get(Number(row.ID)), row) : null),
    /** What was typed for a proposal, as text; undefined where nothing was. */
    of: (ID) => typed.get(Number(ID)),
    keep: keepTyped,
    forget(IDs) {
      IDs.forEach((ID) => typed.delete(Number(ID)))
      keep()
    },
    /** What was typed, else the quantity: digits as the person's language groups them. */
    shown(ID, quantity) {
      const text = String(typed.get(Number(ID)) ?? quantity ?? '')
      return /^\d+$/.test(text) ? shownNumber(text) : text
    },
    /** To be called for rows that were read. */
    followRead(contexts) {
      for (const context of contexts) {
        const ID = Number(context.getProperty('ID'))
        told.delete(ID)
        if (typed.has(ID)) follow(context)
      }
    },
    typed(event) {
      const input = event.getSource()
      const row = input.getBindingContext().getObject()
      const value = keepTyped(row.ID, event.getParameter('value'), row.quantity)
      follow(input.getBindingContext())
      say(input, fault(value, row))
    },
  }
})
