// Opens the list with the view that the address asks for, e.g. index.html?view=due, and keeps which rows it showed.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension', './everything'], (Extension, everything) =>
  Extension.extend('restock.buyer.ext.FirstView', {
    override: {
      onInit() {
        const view = new URLSearchParams(location.search).get('view')
        const tabs = this.base.getView().byId('fe::TabMultipleMode')
        const wanted = tabs?.getItems().find((item) => item.getKey().includes(`::${view}::`))
        if (wanted) tabs.setSelectedKey(wanted.getKey())
        const model = this.base.getAppComponent().getModel()
        // The table has its rows a moment after the list has its data.
        model.attachDataReceived((event) => setTimeout(everything.keep, 0, event.getSource()))
      },
    },
  }),
)
