// A comment on the proposal; whom it names by @name is told.
sap.ui.define([], () => ({
  async open(context) {
    const label = (await this.getModel('i18n').getResourceBundle()).getText('commentOn')
    try {
      await this.editFlow.invokeAction('BuyerService.addComment', { contexts: context, label })
    } catch {
      // What was refused has been told by the dialog.
    }
    context.refresh()
  },
}))
