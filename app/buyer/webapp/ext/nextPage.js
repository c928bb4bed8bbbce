// The page of a proposal is made while the list is looked at, so that the first one opens sooner: it takes half a second in
// which nobody types or points.
sap.ui.define([], () => {
  const QUIET_MS = 700
  const ACTS = ['keydown', 'pointerdown', 'pointermove', 'wheel']

  const prepared = new WeakSet()

  /** Calls once nothing was typed or pointed at for a while. */
  function whenQuiet(act) {
    const wait = () => setTimeout(end, QUIET_MS)
    let timer = wait()
    const again = () => {
      clearTimeout(timer)
      timer = wait()
    }
    ACTS.forEach((name) =>
      globalThis.addEventListener(name, again, { capture: true, passive: true }),
    )
    function end() {
      ACTS.forEach((name) => globalThis.removeEventListener(name, again, { capture: true }))
      act()
    }
  }

  return {
    /** To be called when the list has its rows. Where it fails, opening a proposal makes its page. */
    prepare(component) {
      if (prepared.has(component)) return
      prepared.add(component)
      const make = async () => {
        await component.getRouter()?.getTargets().getTarget('ProposalsPage').load?.()
      }
      whenQuiet(() => make().catch(() => {}))
    },
  }
})
