// What an order comes to, in the dialog of Fiori elements that asks for its approval: it follows the quantity as it is typed.
sap.ui.define(
  ['sap/m/InstanceManager', 'sap/m/Text', './quantity', './sums'],
  (InstanceManager, Text, quantity, sums) => {
    const PAUSE_MS = 100
    const MOST_PAUSES = 600

    /** @param isOver whether the question has been answered @returns the dialog; undefined where none came */
    async function dialogOf(isOver) {
      for (let at = 0; at < MOST_PAUSES && !isOver(); at++) {
        const [dialog] = InstanceManager.getOpenDialogs().filter((each) => each.isA('sap.m.Dialog'))
        if (dialog?.getDomRef('cont')?.querySelector('[id*="quantity"] input')) return dialog
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      return undefined
    }

    /** @param row with quantity, value, unitCost and currency @param isOver whether the question has been answered */
    return async function showWorth(bundle, row, isOver) {
      const dialog = await dialogOf(isOver)
      if (!dialog) return
      const text = new Text()
      const tell = (typed) => {
        const units = Number(quantity.digitsOf(typed))
        const isKnown = Number.isSafeInteger(units) && units > 0 && row.unitCost != null
        const value = isKnown ? units * row.unitCost : null
        const sum = sums.textOf(bundle, [{ ...row, ID: null, quantity: units, value }])
        text.setText(isKnown ? sum : '')
      }
      const field = dialog.getDomRef('cont').querySelector('[id*="quantity"] input')
      tell(field.value)
      dialog.insertContent(text.addStyleClass('sapUiSmallMargin'), 0)
      dialog.attachBrowserEvent('input', ({ target }) => {
        if (/quantity/.test(target.id)) tell(target.value)
      })
    }
  },
)
