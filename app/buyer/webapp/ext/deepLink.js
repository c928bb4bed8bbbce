// A link into the list names its view, and may name the kind of exception: #/?view=exceptions&kind=expedite
sap.ui.define(['sap/ui/mdc/p13n/StateUtil'], (StateUtil) => {
  const tabsOf = (view) => view.byId('fe::TabMultipleMode')
  const itemOf = (view, name) =>
    tabsOf(view)
      ?.getItems()
      .find((each) => each.getKey().includes(`::${name}::`))

  /** As if a person had pressed its tab. */
  function choose(view, name) {
    const [tabs, item] = [tabsOf(view), itemOf(view, name)]
    const previousKey = tabs?.getSelectedKey()
    if (!item || item.getKey() === previousKey) return
    tabs.setSelectedKey(item.getKey())
    tabs.fireSelect({ item, key: item.getKey(), selectedKey: item.getKey(), previousKey })
  }

  /** The table's own filter: it says above its rows what it shows, and people take it off there. */
  async function filterBy(view, name, kind) {
    const isTable = (control) =>
      control.isA('sap.ui.mdc.Table') && control.getId().includes(`::${name}::`)
    const [table] = view.findAggregatedObjects(true, isTable)
    if (!table) return
    const { filter = {} } = await StateUtil.retrieveExternalState(table)
    const former = (filter.kind ?? []).map((condition) => ({ ...condition, filtered: false }))
    const wanted = kind ? [{ operator: 'EQ', values: [kind] }] : []
    if (former.length || wanted.length)
      await StateUtil.applyExternalState(table, { filter: { kind: [...former, ...wanted] } })
  }

  return {
    /** @param base of the list's controller extension */
    follow(base) {
      const [view, router] = [base.getView(), base.getAppComponent().getRouter()]
      router.getRoute('ProposalsList').attachPatternMatched((event) => {
        const { view: name, kind } = event.getParameter('arguments')['?query'] ?? {}
        if (name) choose(view, name)
        if (name === 'exceptions') filterBy(view, name, kind)
      })
    },
  }
})
