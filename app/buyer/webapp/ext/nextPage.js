// The page of a proposal is made while the list is looked at, so that the first one opens sooner.
sap.ui.define([], () => {
  /** In which the list is drawn. */
  const QUIET_MS = 500
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout

  const prepared = new WeakSet()

  return {
    /** To be called when the list has its rows. Where it fails, opening a proposal makes its page. */
    prepare(component) {
      if (prepared.has(component)) return
      prepared.add(component)
      const make = async () => {
        await component.getRouter()?.getTargets().getTarget('ProposalsPage').load?.()
      }
      setTimeout(() => whenIdle(() => make().catch(() => {})), QUIET_MS)
    },
  }
})
