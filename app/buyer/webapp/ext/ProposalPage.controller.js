// The page of a proposal. Fiori elements 1.136 leaves the binding of each proposal that was opened in the model, with all
// that was read of it: the one before is let go.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (Extension) => {
  const ofPage = (context) => {
    const binding = context?.getBinding()
    return binding?.isA('sap.ui.model.odata.v4.ODataContextBinding') ? binding : undefined
  }

  return Extension.extend('restock.buyer.ext.ProposalPage', {
    override: {
      routing: {
        onAfterBinding(context) {
          const binding = ofPage(context)
          if (!binding || binding === this.bound) return
          // Its page has destroyed it already where one proposal follows another.
          if (this.bound?.getBoundContext()) this.bound.destroy()
          this.bound = binding
        },
      },
    },
  })
})
