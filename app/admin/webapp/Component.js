sap.ui.define(['sap/fe/core/AppComponent'], (AppComponent) =>
  AppComponent.extend('restock.admin.Component', { metadata: { manifest: 'json' } }),
)
