// Opens the list with the view that the address asks for, e.g. index.html?view=due.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (ControllerExtension) =>
  ControllerExtension.extend('restock.buyer.ext.FirstView', {
    override: {
      onInit() {
        const view = new URLSearchParams(location.search).get('view')
        const tabs = this.base.getView().byId('fe::TabMultipleMode')
        const wanted = tabs?.getItems().find((item) => item.getKey().includes(`::${view}::`))
        if (wanted) tabs.setSelectedKey(wanted.getKey())
      },
    },
  }),
)
