// What following the proposals comes to, month by month: planned against what came, and what decisions were worth.
sap.ui.define(
  ['sap/fe/core/PageController', 'sap/ui/Device', 'sap/ui/model/json/JSONModel', './valueTexts'],
  (PageController, Device, JSONModel, texts) => {
    return PageController.extend('restock.buyer.ext.ValueMonths', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...texts.EMPTY, isBusy: true })
        this.getView().setModel(this.state, 'value')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        const route = this.getAppComponent().getRouter().getRoute('ValueMonths')
        route.attachPatternMatched(() => this.open())
      },

      async open() {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        this.state.setData({ ...texts.EMPTY, isBusy: true })
        const operation = this.getView().getModel().bindContext('/valueMonths(...)')
        try {
          await operation.invoke()
          const { value } = operation.getBoundContext().getObject()
          this.state.setData({ ...texts.ofMonths(this.bundle, value), isBusy: false })
        } catch (error) {
          this.state.setData({ ...texts.EMPTY, isBusy: false, error: error.message })
        }
      },
    })
  },
)
