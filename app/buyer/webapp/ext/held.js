// Decisions of the list are held in the page for some seconds before they are sent, so that they can be undone. Leaving the list
// or the page sends them at once.
sap.ui.define(
  [
    'sap/ui/core/routing/HashChanger',
    './firstPage',
    './heldBar',
    './outcomes',
    './quantity',
    './sendMany',
    './tabs',
  ],
  (HashChanger, firstPage, heldBar, outcomes, quantity, sendMany, tabs) => {
    const HELD_MS = 8_000
    /** After which a list that was read has its rows. */
    const SETTLED_MS = 500
    const HELD_ROW = 'restockHeld'

    /** In the order in which they were made: { api, name, rows, given }. */
    let entries = []
    /** How many are on their way. */
    let sending = 0
    let timer
    let view
    let isMarked = false
    /** What had the focus may go with the rows that are decided: the keys would find nobody. */
    let isFocusDue = false

    const isHeld = (ID) => entries.some(({ rows }) => rows.some((row) => row.ID === Number(ID)))

    const rowsOf = (list) =>
      list?.findAggregatedObjects(true, (each) => each.isA('sap.m.ColumnListItem')) ?? []

    /** The rows that are decided look so, until the list is read anew. */
    function mark() {
      if (!entries.length && !isMarked) return
      isMarked = entries.length > 0
      for (const row of rowsOf(view)) {
        const context = row.getBindingContext()
        const isOf = context?.getPath().startsWith('/Proposals(')
        row.toggleStyleClass(HELD_ROW, Boolean(isOf) && isHeld(context.getProperty('ID')))
      }
    }

    function wait() {
      clearTimeout(timer)
      if (entries.length) timer = setTimeout(send, HELD_MS)
    }

    async function show() {
      mark()
      const api = entries.at(-1)?.api
      if (!api) return heldBar.hide()
      const bundle = await api.getModel('i18n').getResourceBundle()
      heldBar.show(bundle, entries, { undo, send, pause: () => clearTimeout(timer), goOn: wait })
    }

    /** Those of one kind that were given the same are one call. */
    const callsOf = (made) => [
      ...Map.groupBy(made, ({ name, given }) => JSON.stringify([name, given])).values(),
    ]

    async function send() {
      clearTimeout(timer)
      const made = entries
      entries = []
      heldBar.hide()
      if (!made.length) return
      const { api } = made[0]
      const service = api.getModel().getServiceUrl()
      const bundle = await api.getModel('i18n').getResourceBundle()
      const [told, refused] = [[], []]
      sending++
      const decided = made.flatMap((entry) => entry.rows).length
      for (const entriesOfCall of callsOf(made)) {
        const [{ name, given }] = entriesOfCall
        const rows = entriesOfCall.flatMap((entry) => entry.rows)
        const not = await sendParts(service, bundle, { name, rows, given })
        const kept = new Set(not.map(({ ID }) => ID))
        quantity.forget(rows.map(({ ID }) => ID).filter((ID) => !kept.has(ID)))
        refused.push(...not)
        told.push(await outcomes.sentence(bundle, service, { name, rows, refused: not }))
      }
      sending--
      outcomes.tell(bundle, told.join(' '), refused)
      tabs.tell()
      before(decided)
      await api.refresh()
      mark()
      isFocusDue = true
    }

    /** Of a decision about so many rows that the list is not drawn anew with them; it is refreshed after the decision. */
    function before(decided) {
      if (decided > firstPage.PAGE) firstPage.back(view)
    }

    async function sendParts(service, bundle, { name, rows, given }) {
      const refused = []
      for (let at = 0; at < rows.length; at += sendMany.PART) {
        const part = rows.slice(at, at + sendMany.PART)
        try {
          refused.push(...(await sendMany.send(service, name, part, given)))
        } catch (call) {
          const message = call.responseJSON?.error?.message ?? bundle.getText('many-cutOff')
          refused.push(...part.map(({ ID }) => ({ ID, message })))
        }
      }
      return refused
    }

    function undo() {
      entries.pop()
      wait()
      return show()
    }

    /** The page goes: what is held goes with it, as a request that outlives it. */
    function leave() {
      for (const { api, name, rows, given } of entries.splice(0))
        sendMany.leave(api.getModel().getServiceUrl(), name, rows, given)
    }
    globalThis.addEventListener('pagehide', leave)
    globalThis.addEventListener('beforeunload', (event) => sending && event.preventDefault())
    HashChanger.getInstance().attachEvent('hashChanged', send)

    /** To be called when the list has been read. */
    function received() {
      mark()
      if (isFocusDue) setTimeout(refocus, SETTLED_MS)
    }

    function refocus() {
      const { activeElement, body } = globalThis.document
      if (!isFocusDue) return
      isFocusDue = false
      if (!activeElement || activeElement === body) rowsOf(view)[0]?.focus()
    }

    return {
      isHeld,
      received,
      undo,
      /** While the person is asked something, nothing is sent. */
      async during(question) {
        clearTimeout(timer)
        return question.finally(wait)
      },
      send,
      before,
      /** The view whose rows are marked. */
      follow: (list) => (view = list),
      add(entry) {
        entries.push(entry)
        wait()
        return show()
      },
    }
  },
)
