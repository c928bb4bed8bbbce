// Opens the list with the view that the address asks for, e.g. index.html?view=due, and follows it: its address, its keys, which
// rows it showed, what the selected ones come to, and what an exported sheet needs.
sap.ui.define(
  [
    'sap/ui/core/mvc/ControllerExtension',
    './address',
    './deepLink',
    './everything',
    './exported',
    './held',
    './listKeys',
    './quantity',
    './selection',
  ],
  (Extension, address, deepLink, everything, exported, held, listKeys, quantity, selection) => {
    /** In which the list is drawn. */
    const QUIET_MS = 300

    function received(binding) {
      everything.keep(binding)
      if (
        binding.isA('sap.ui.model.odata.v4.ODataListBinding') &&
        binding.getPath() === '/Proposals'
      )
        quantity.followRead(binding.getCurrentContexts().filter(Boolean))
      held.received()
    }

    /** The page of a proposal is made while the list is looked at, so that the first opens sooner. It may fail: then opening makes it. */
    function prepareProposal(component) {
      const make = () => component.getRouter()?.getTargets().getTarget('ProposalsPage').load?.()
      const whenIdle = globalThis.requestIdleCallback ?? setTimeout
      setTimeout(() => whenIdle(() => Promise.resolve(make()).catch(() => {})), QUIET_MS)
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
          held.follow(this.base.getView())
          listKeys.listen(this.base.getView(), this.base.getExtensionAPI())
          const isTable = (control) => control.isA('sap.ui.mdc.Table')
          const tables = this.base.getView().findAggregatedObjects(true, isTable)
          const texts = this.base.getAppComponent().getModel('i18n').getResourceBundle()
          model.attachEventOnce('dataReceived', () => prepareProposal(this.base.getAppComponent()))
          address.follow(this.base.getView(), tables)
          Promise.resolve(texts).then((bundle) => {
            for (const table of tables) table.attachBeforeExport(exported.completing(bundle))
            selection.follow(this.base.getView(), tables, bundle)
          })
        },
      },
    })
  },
)
