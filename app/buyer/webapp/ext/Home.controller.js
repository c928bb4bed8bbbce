// What today needs, in money; each figure opens its list.
sap.ui.define(
  ['sap/fe/core/PageController', 'sap/ui/Device', 'sap/ui/model/json/JSONModel', './homeTexts'],
  (PageController, Device, JSONModel, texts) => {
    const HIGHLIGHTS = ['None', 'Error', 'Warning', 'Success']
    const EMPTY = {
      tiles: [],
      dueOrders: [],
      deadlines: [],
      notices: [],
      exceptions: [],
      warning: '',
    }

    return PageController.extend('restock.buyer.ext.Home', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...EMPTY, isBusy: true, error: '', subtitle: '' })
        this.getView().setModel(this.state, 'home')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        // What is asked stands first, and leaves the figures in sight.
        this.byId('notices').setGrowingThreshold(Device.system.phone ? 2 : 4)
        this.router = this.getAppComponent().getRouter()
        this.router.getRoute('Home').attachPatternMatched(() => this.read())
        this.onBack = () => this.read()
        globalThis.addEventListener('restock-back', this.onBack)
      },
      onExit(...all) {
        globalThis.removeEventListener('restock-back', this.onBack)
        PageController.prototype.onExit?.apply(this, all)
      },

      async read() {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        this.state.setProperty('/isBusy', true)
        try {
          const operation = this.getView().getModel().bindContext('/home(...)')
          await operation.invoke()
          const home = operation.getBoundContext().getObject()
          this.state.setData({ ...texts.ofHome(this.bundle, home), isBusy: false, error: '' })
        } catch (error) {
          // What was read before stays: it says of which day it is.
          this.state.setProperty('/error', error.message)
          this.state.setProperty('/isBusy', false)
        }
      },

      onRefresh() {
        return this.read()
      },
      onList() {
        this.router.navTo('ProposalsList', { '?query': { view: 'open' } })
      },
      onOrders() {
        this.router.navTo('SupplierOrder')
      },

      onValue() {
        this.router.navTo('ValueMonths')
      },

      highlightOf: (criticality) => HIGHLIGHTS[criticality] ?? 'None',
    })
  },
)
