// UI5's start with a policy that forbids evaluating text: sap.f asks for stubs of names that nobody here
// uses, and UI5 would make them by evaluating text.
sap.ui.define(['sap/ui/Global'], () => {
  sap.ui.lazyRequire = () => {}
  sap.ui.require(['sap/ui/core/ComponentSupport'])
  sap.ui.require(['restock/shell/session'], (session) => session.watch())
  sap.ui.require(['restock/shell/messages'], (messages) => messages.mend())
  sap.ui.require(['restock/shell/states'], (states) => states.mend())
  sap.ui.require(['restock/shell/tokens'], (tokens) => tokens.mend())
  sap.ui.require(['restock/shell/growth'], (growth) => growth.mend())
  sap.ui.require(['restock/shell/low'], (low) => low.mend())
})
