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
    onReload() {
      this.byId('forms').getElementBinding()?.refresh()
      this.byId('toDos').getBinding('items')?.refresh()
    },
  })
})
