// Opens the list with the view that the address asks for, e.g. index.html?view=due, keeps which rows it showed, says what
// the selected ones come to, and gives the exported sheet numbers for quantities and the proposal's number.
sap.ui.define(
  [
    'sap/ui/core/mvc/ControllerExtension',
    './deepLink',
    './everything',
    './exported',
    './quantity',
    './selection',
  ],
  (Extension, deepLink, everything, exported, quantity, selection) => {
    function received(binding) {
      everything.keep(binding)
      if (
        binding.isA('sap.ui.model.odata.v4.ODataListBinding') &&
        binding.getPath() === '/Proposals'
      )
        quantity.followRead(binding.getCurrentContexts().filter(Boolean))
    }

    return Extension.extend('restock.buyer.ext.FirstView', {
      override: {
        onInit() {
          const view = new URLSearchParams(location.search).get('view')
          const tabs = this.base.getView().byId('fe::TabMultipleMode')
          const wanted = tabs?.getItems().find((item) => item.getKey().includes(`::${view}::`))
          if (wanted) tabs.setSelectedKey(wanted.getKey())
          deepLink.follow(this.base)
          const model = this.base.getAppComponent().getModel()
          // The table has its rows a moment after the list has its data.
          model.attachDataReceived((event) => setTimeout(received, 0, event.getSource()))
          const isTable = (control) => control.isA('sap.ui.mdc.Table')
          const tables = this.base.getView().findAggregatedObjects(true, isTable)
          const texts = this.base.getAppComponent().getModel('i18n').getResourceBundle()
          Promise.resolve(texts).then((bundle) => {
            for (const table of tables) table.attachBeforeExport(exported.completing(bundle))
            selection.follow(this.base.getView(), tables, bundle)
          })
        },
      },
    })
  },
)
