// Approves the quantity that the slider shows, through the dialog that every approval goes through.
sap.ui.define([], () => ({
  approve(event) {
    const contexts = event.getSource().getBindingContext()
    const parameterValues = [
      { name: 'quantity', value: event.getParameter('quantity') },
      { name: 'version', value: contexts.getProperty('version') },
    ]
    this.editFlow
      .invokeAction('BuyerService.approve', { contexts, parameterValues })
      .catch(() => this.refresh())
  },

  /** Whole numbers of 64 bits come as text. */
  numberOf: (value) => (value === null || value === undefined ? null : Number(value)),
}))
