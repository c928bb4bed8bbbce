// What is selected in a list comes to so much: below the list, as long as something is selected.
sap.ui.define(
  ['sap/m/OverflowToolbar', 'sap/m/Text', './everything', './sums'],
  (OverflowToolbar, Text, everything, sums) => ({
    /** @param texts the app's bundle */
    follow(view, tables, texts) {
      const [page] = view.findAggregatedObjects(true, (each) => each.isA('sap.f.DynamicPage'))
      if (!page) return
      const text = new Text({ wrapping: false })
      page.setFooter(new OverflowToolbar({ content: [text] }))
      page.setShowFooter(false)
      for (const table of tables) {
        table.attachSelectionChange(() => {
          const selected = table.getSelectedContexts()
          const isOfProposals = selected.some((row) => row.getPath().startsWith('/Proposals('))
          if (isOfProposals) text.setText(sums.textOf(texts, selected.map(everything.rowOf)))
          page.setShowFooter(isOfProposals)
        })
      }
    },
  }),
)
