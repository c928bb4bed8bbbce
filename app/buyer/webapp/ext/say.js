// What a person says of a proposal: a comment, of which those are told whom it names by @name, or what the forecast does not know
// of the demand of its SKU.
sap.ui.define([], () => {
  const asking = (action, text) =>
    async function (context) {
      const label = (await this.getModel('i18n').getResourceBundle()).getText(text)
      try {
        await this.editFlow.invokeAction(`BuyerService.${action}`, { contexts: context, label })
      } catch {
        // What was refused has been told by the dialog.
      }
      context.refresh()
    }

  return {
    comment: asking('addComment', 'commentOn'),
    adjust: asking('adjustForecast', 'adjustForecast'),
  }
})
