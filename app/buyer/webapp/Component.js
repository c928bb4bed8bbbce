sap.ui.define(['sap/fe/core/AppComponent'], (AppComponent) =>
  AppComponent.extend('restock.buyer.Component', { metadata: { manifest: 'json' } }),
)
