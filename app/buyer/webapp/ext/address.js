// The address of the list says which view it is, how it is filtered, searched, sorted and grouped: a colleague can be sent it, and
// the list is the same after it is loaded again.
sap.ui.define(['sap/ui/mdc/p13n/StateUtil'], (StateUtil) => {
  /** `due` of `fe::table::due::LineItem`. */
  const viewOf = (tabs) => tabs.getSelectedKey().split('::').at(-2)

  const parameters = () => new URLSearchParams(location.search)

  /** What the address says beside the view; nothing where it is no state of a list. */
  function read() {
    try {
      const state = JSON.parse(parameters().get('state') ?? '{}')
      return state && typeof state === 'object' ? state : {}
    } catch {
      return {}
    }
  }

  function write(view, state) {
    const said = parameters()
    said.set('view', view)
    const kept = Object.entries(state).filter(([, value]) => Object.keys(value ?? {}).length)
    if (kept.length) said.set('state', JSON.stringify(Object.fromEntries(kept)))
    else said.delete('state')
    globalThis.history.replaceState(
      globalThis.history.state,
      '',
      `${location.pathname}?${said}${location.hash}`,
    )
  }

  /** Without the fields that have no condition; what was looked up with a value is looked up again. */
  const conditionsOf = ({ filter = {} }) =>
    Object.fromEntries(
      Object.entries(filter)
        .filter(([, conditions]) => conditions.length)
        .map(([name, conditions]) => [
          name,
          conditions.map(({ operator, values }) => ({ operator, values })),
        ]),
    )

  const orderOf = ({ sorters = [], groupLevels = [] }) => ({ sorters, groupLevels })

  async function apply(bar, table, { filter, sorters, groupLevels }) {
    if (filter) {
      await StateUtil.applyExternalState(bar, { filter })
      bar.triggerSearch()
    }
    if (table && (sorters || groupLevels))
      await StateUtil.applyExternalState(table, { sorters, groupLevels })
  }

  // A browser may tell of another hash only where the rest of the address is the same, and Back from the list leaves its view.
  globalThis.addEventListener('popstate', () =>
    setTimeout(() => globalThis.dispatchEvent(new globalThis.Event('hashchange'))),
  )

  return {
    /** @param tables those of its views */
    async follow(view, tables) {
      const tabs = view.byId('fe::TabMultipleMode')
      const [bar] = view.findAggregatedObjects(true, (each) => each.isA('sap.ui.mdc.FilterBar'))
      if (!tabs || !bar) return
      const current = () => tables.find((table) => table.getId().includes(tabs.getSelectedKey()))
      let state = read()
      await bar.initialized()
      await apply(bar, current(), state).catch(() => (state = {}))
      tabs.attachSelect(() => write(viewOf(tabs), (state = { filter: state.filter })))
      StateUtil.attachStateChange(async (event) => {
        const control = event.getParameter('control')
        if (control === bar) {
          state = { ...state, filter: conditionsOf(await StateUtil.retrieveExternalState(bar)) }
        } else if (control === current()) {
          state = { ...state, ...orderOf(await StateUtil.retrieveExternalState(control)) }
        } else return
        write(viewOf(tabs), state)
      })
    },
  }
})
