// Approves the quantity that the slider shows, through the dialog that every approval goes through.
sap.ui.define([], () => ({
  approve(event) {
    const contexts = event.getSource().getBindingContext()
    const value = event.getParameter('quantity')
    const parameterValues = [{ name: 'quantity', value }]
    this.editFlow
      .invokeAction('BuyerService.approve', { contexts, parameterValues })
      .catch(() => {})
  },

  /** Whole numbers of 64 bits come as text. */
  numberOf: (value) => (value === null || value === undefined ? null : Number(value)),
}))
