// Says of the demand of the proposal's SKU what the forecast does not know.
sap.ui.define([], () => ({
  async open(context) {
    const label = (await this.getModel('i18n').getResourceBundle()).getText('adjustForecast')
    try {
      await this.editFlow.invokeAction('BuyerService.adjustForecast', { contexts: context, label })
    } catch {
      // What was refused has been told by the dialog.
    }
    context.refresh()
  },
}))
