sap.ui.define(['sap/fe/core/AppComponent', './ext/noAccess'], (AppComponent, noAccess) =>
  AppComponent.extend('restock.admin.Component', {
    metadata: { manifest: 'json' },

    init() {
      AppComponent.prototype.init.apply(this, arguments)
      noAccess.tell(this)
    },
  }),
)
