// An address that leads nowhere says so: the page would show what was there before, or nothing.
sap.ui.define([], () => ({
  tell(component) {
    component.getRouter().attachBypassed(async () => {
      const bundle = await component.getModel('i18n').getResourceBundle()
      const description = bundle.getText('unknownText')
      const root = component.getRootViewController()
      root.displayErrorPage(bundle.getText('unknownTitle'), {
        description,
        errorType: 'PageNotFound',
      })
    })
  },
}))
