sap.ui.define(
  ['sap/fe/core/AppComponent', './ext/noAccess', './ext/unknown'],
  (AppComponent, noAccess, unknown) =>
    AppComponent.extend('restock.admin.Component', {
      metadata: { manifest: 'json' },

      init() {
        AppComponent.prototype.init.apply(this, arguments)
        noAccess.tell(this)
        unknown.tell(this)
      },
    }),
)
