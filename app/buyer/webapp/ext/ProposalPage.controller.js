// The page of a proposal. Fiori elements 1.136 leaves the binding of each proposal that was opened in the model, with all
// that was read of it: the one before is let go.
// N and P lead to the next and the previous one of the list.
sap.ui.define(
  ['sap/ui/core/mvc/ControllerExtension', './neighbours', './rowKeys'],
  (Extension, neighbours, rowKeys) => {
    const STEPS = { n: 1, p: -1 }

    async function go(base, by) {
      const shown = base.getView().getBindingContext()?.getProperty('ID')
      const ID = shown && (await neighbours.of(shown, by))
      if (!ID) return
      base
        .getAppComponent()
        .getRouter()
        .navTo('ProposalsPage', { key: String(ID) })
    }

    const ofPage = (context) => {
      const binding = context?.getBinding()
      return binding?.isA('sap.ui.model.odata.v4.ODataContextBinding') ? binding : undefined
    }

    return Extension.extend('restock.buyer.ext.ProposalPage', {
      override: {
        onInit() {
          rowKeys.listen(this.base.getView(), {
            onRow: () => false,
            onAny: (key) => {
              if (STEPS[key]) go(this.base, STEPS[key])
              return key in STEPS
            },
          })
        },
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
  },
)
