sap.ui.define(['sap/fe/core/AppComponent', './ext/tabs'], (AppComponent, tabs) =>
  AppComponent.extend('restock.buyer.Component', {
    metadata: { manifest: 'json' },

    init() {
      // By itself the app opens with what today needs; in a launchpad the address is the launchpad's.
      const isPlain = !location.hash && !location.search.includes('view=')
      if (isPlain && !globalThis.sap.ui.require('sap/ushell/Container'))
        globalThis.history.replaceState(globalThis.history.state, '', '#/Home')
      AppComponent.prototype.init.apply(this, arguments)
      tabs.follow(this.getModel())
    },
  }),
)
