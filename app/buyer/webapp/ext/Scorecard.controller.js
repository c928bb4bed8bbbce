// How a supplier has kept its promises: its year in figures, by month, and beside the other suppliers.
sap.ui.define(
  [
    'sap/fe/core/PageController',
    'sap/ui/Device',
    'sap/ui/model/json/JSONModel',
    './scorecardTexts',
  ],
  (PageController, Device, JSONModel, texts) => {
    return PageController.extend('restock.buyer.ext.Scorecard', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...texts.EMPTY, isBusy: true })
        this.getView().setModel(this.state, 'card')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        const route = this.getAppComponent().getRouter().getRoute('Scorecard')
        route.attachPatternMatched((event) =>
          this.open(event.getParameter('arguments')['?query'] ?? {}),
        )
      },

      async open({ source, supplier = '' }) {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        if (!/^\d+$/.test(source) || !supplier) {
          this.state.setData({ ...texts.ofNone(this.bundle), isBusy: false })
          return
        }
        this.state.setData({ ...texts.EMPTY, isBusy: true })
        const operation = this.getView().getModel().bindContext('/scorecard(...)')
        operation.setParameter('source', Number(source))
        operation.setParameter('supplier', supplier)
        try {
          await operation.invoke()
          const found = operation.getBoundContext().getObject()
          this.state.setData({ ...texts.ofScorecard(this.bundle, found), isBusy: false })
        } catch (error) {
          this.state.setData({
            ...texts.EMPTY,
            title: supplier,
            isBusy: false,
            error: error.message,
          })
        }
      },
    })
  },
)
