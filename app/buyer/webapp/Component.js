sap.ui.define(['sap/fe/core/AppComponent', './ext/tabs'], (AppComponent, tabs) =>
  AppComponent.extend('restock.buyer.Component', {
    metadata: { manifest: 'json' },

    init() {
      AppComponent.prototype.init.apply(this, arguments)
      tabs.follow(this.getModel())
    },
  }),
)
