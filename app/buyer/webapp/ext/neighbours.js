// The proposals before and after one, in the order of the list that it was opened from.
sap.ui.define([], () => {
  let [view, tables] = [null, []]
  /** Where the last one stood: it may have left the list since. */
  let last = { binding: null, at: -1 }

  /** The rows of the view of the list that was looked at last. */
  function shownBinding() {
    const key = view?.byId('fe::TabMultipleMode')?.getSelectedKey() ?? ''
    const [, name] = /::(\w+)::/.exec(key) ?? []
    const table = tables.find((each) => each.getId().includes(`::${name}::`))
    return table?.getRowBinding()
  }

  const idOf = (context) => Number(/\((\d+)\)$/.exec(context?.getPath() ?? '')?.[1])

  return {
    /** To be called by the list. */
    follow: (list, all) => ([view, tables] = [list, all]),

    /** @param by 1 for the next one, -1 for the one before. @returns its ID; undefined where there is none */
    async of(ID, by) {
      const binding = shownBinding()
      if (binding?.getPath() !== '/Proposals') return undefined
      const contexts = binding.getAllCurrentContexts()
      const found = contexts.findIndex((context) => idOf(context) === Number(ID))
      const isGone = found < 0 && last.binding === binding
      const at = isGone ? last.at - (by > 0 ? 1 : 0) : found
      if (found < 0 && !isGone) return undefined
      const wanted = at + by
      if (wanted < 0) return undefined
      const context = contexts[wanted] ?? (await binding.requestContexts(wanted, 1))[0]
      if (context) last = { binding, at: wanted }
      return context && idOf(context)
    },
  }
})
