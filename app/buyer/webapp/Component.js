sap.ui.define(
  ['sap/fe/core/AppComponent', './ext/money', './ext/notFound', './ext/tabs'],
  (AppComponent, money, notFound, tabs) =>
    AppComponent.extend('restock.buyer.Component', {
      metadata: { manifest: 'json' },

      init() {
        money.mend()
        AppComponent.prototype.init.apply(this, arguments)
        this.readTexts()
        tabs.follow(this.getModel())
        notFound.follow(this)
      },

      /** Fiori elements asks for the texts of custom columns at once, the rest of the app waits for them: both get them. */
      async readTexts() {
        const model = this.getModel('i18n')
        const bundle = await model.getResourceBundle()
        const texts = Object.assign(Promise.resolve(bundle), {
          getText: bundle.getText.bind(bundle),
        })
        model.getResourceBundle = () => texts
      },
    }),
)
