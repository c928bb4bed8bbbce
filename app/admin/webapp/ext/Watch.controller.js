// Refreshes every two seconds while a sync runs or a consent is pending.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (ControllerExtension) => {
  const PAUSE_MS = 2000

  /** @param {{ isUnfinished?: boolean, syncing?: boolean, status?: string }} [row] */
  const isMoving = ({ isUnfinished, syncing, status } = {}) =>
    Boolean(isUnfinished || syncing || status === 'pending_consent')

  return ControllerExtension.extend('restock.admin.ext.Watch', {
    override: {
      routing: {
        onAfterBinding(context) {
          this.watch(context)
        },
      },
      onExit() {
        clearTimeout(this._timer)
      },
    },

    watch(context) {
      clearTimeout(this._timer)
      const look = async () => {
        if (this.base.getView().getBindingContext() !== context) return
        try {
          const seen = await context.requestObject()
          if (isMoving(seen) || this._moved) await context.requestRefresh()
          this._moved = isMoving(seen)
        } catch {
          // Gone, or not to be had at present: the next look tells.
        }
        this._timer = setTimeout(look, PAUSE_MS)
      }
      this._timer = setTimeout(look, PAUSE_MS)
    },
  })
})
