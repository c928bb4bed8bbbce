sap.ui.define(['sap/fe/core/PageController'], (PageController) => {
  const MINUTE_MS = 60_000

  return PageController.extend('restock.admin.ext.Overview', {
    onInit(...all) {
      PageController.prototype.onInit.apply(this, all)
      this._timer = setInterval(() => this.onReload(), MINUTE_MS)
    },
    onExit(...all) {
      window.clearInterval(this._timer)
      PageController.prototype.onExit?.apply(this, all)
    },
    /** Until it is read nothing is said. */
    onHealthRead() {
      this.byId('page').setBusy(false)
    },
    onToDosRead(event) {
      const list = event.getSource()
      list.setShowNoData(list.getBinding('items').isLengthFinal())
    },
    onReload() {
      this.byId('forms').getElementBinding()?.refresh()
      this.byId('toDos').getBinding('items')?.refresh()
    },
  })
})
