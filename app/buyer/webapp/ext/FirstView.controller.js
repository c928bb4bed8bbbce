// Opens the list with the view that the address asks for, e.g. index.html?view=due, and follows it: its address, its keys, which
// rows it showed, what the selected ones come to, and what an exported sheet needs.
sap.ui.define(
  [
    'sap/ui/Device',
    'sap/ui/core/mvc/ControllerExtension',
    './address',
    './deepLink',
    './everything',
    './exported',
    './held',
    './listKeys',
    './neighbours',
    './nextPage',
    './quantity',
    './selection',
  ],
  (
    Device,
    Extension,
    address,
    deepLink,
    everything,
    exported,
    held,
    listKeys,
    neighbours,
    nextPage,
    quantity,
    selection,
  ) => {
    function received(component, binding) {
      everything.keep(binding)
      if (
        binding.isA('sap.ui.model.odata.v4.ODataListBinding') &&
        binding.getPath() === '/Proposals'
      ) {
        quantity.followRead(binding.getCurrentContexts().filter(Boolean))
        nextPage.prepare(component)
      }
      held.received()
    }

    /** In a low window the filters are closed until somebody wants them: the rows come first. */
    const LOW = 850

    function closeFilters(view) {
      if (globalThis.innerHeight >= LOW) return
      const [page] = view.findAggregatedObjects(true, (each) => each.isA('sap.f.DynamicPage'))
      // The focus of the first row scrolls, which would open them.
      page?.setPreserveHeaderStateOnScroll(true)
      page?.setHeaderExpanded(false)
    }

    return Extension.extend('restock.buyer.ext.FirstView', {
      override: {
        onInit() {
          this.base.getView().addStyleClass('restockList')
          if (!Device.support.touch) this.base.getView().addStyleClass('sapUiSizeCompact')
          const view = new URLSearchParams(location.search).get('view')
          const tabs = this.base.getView().byId('fe::TabMultipleMode')
          const wanted = tabs?.getItems().find((item) => item.getKey().includes(`::${view}::`))
          if (wanted) tabs.setSelectedKey(wanted.getKey())
          deepLink.follow(this.base)
          const component = this.base.getAppComponent()
          const model = component.getModel()
          // The table has its rows a moment after the list has its data.
          model.attachDataReceived((event) => setTimeout(received, 0, component, event.getSource()))
          closeFilters(this.base.getView())
          held.follow(this.base.getView())
          listKeys.listen(this.base.getView(), this.base.getExtensionAPI())
          const isTable = (control) => control.isA('sap.ui.mdc.Table')
          const tables = this.base.getView().findAggregatedObjects(true, isTable)
          const texts = component.getModel('i18n').getResourceBundle()
          // Fiori elements hides the name of a table that is its view's too.
          for (const table of tables)
            table.unbindProperty('headerVisible', true).setHeaderVisible(true)
          address.follow(this.base.getView(), tables)
          neighbours.follow(this.base.getView(), tables)
          Promise.resolve(texts).then((bundle) => {
            for (const table of tables) table.attachBeforeExport(exported.completing(bundle))
            selection.follow(this.base.getView(), tables, bundle)
          })
        },
      },
    })
  },
)
