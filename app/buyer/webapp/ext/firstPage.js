// A list that grew long is read and drawn from its first page on: after a decision about many of its rows there is another first
// page anyway, and to draw two hundred rows anew keeps the tab busy for half a minute.
sap.ui.define([], () => {
  /** Rows that are drawn at a time. */
  const PAGE = 20
  const isTable = (control) => control.isA('sap.m.Table')

  return {
    PAGE,
    /** Removes the rows of long tables, which must be refreshed afterwards. A table without rows starts anew with as many as it draws at a time. */
    back(view) {
      for (const table of view?.findAggregatedObjects(true, isTable) ?? [])
        if (table.getGrowing() && table.getItems().length > PAGE) table.destroyItems()
    },
  }
})
