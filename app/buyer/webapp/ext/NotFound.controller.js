// Says what is wrong with an address that leads nowhere, and leads back to Today.
sap.ui.define(
  ['sap/fe/core/PageController', 'sap/ui/model/json/JSONModel', './notFound'],
  (PageController, JSONModel, notFound) =>
    PageController.extend('restock.buyer.ext.NotFound', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ title: '', text: '' })
        this.getView().setModel(this.state, 'notFound')
        this.router = this.getAppComponent().getRouter()
        this.router
          .getRoute('NotFound')
          .attachPatternMatched((event) =>
            this.say(event.getParameter('arguments')['address*'] ?? ''),
          )
      },

      async say(address) {
        const bundle = await this.getView().getModel('i18n').getResourceBundle()
        this.state.setData(notFound.textsOf(bundle, address))
      },

      onToday() {
        this.router.navTo('Home')
      },
    }),
)
