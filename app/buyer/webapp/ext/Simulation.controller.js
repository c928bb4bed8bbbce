// Service against stock value, and what another target, lead time or budget would mean before a rule is set.
sap.ui.define(
  [
    'sap/fe/core/PageController',
    'sap/ui/Device',
    'sap/ui/model/json/JSONModel',
    './budgetNumbers',
    './simulationTexts',
  ],
  (PageController, Device, JSONModel, numbers, texts) => {
    const ASKED = { target: '', changeDays: 0, budget: '', by: 'abc' }

    return PageController.extend('restock.buyer.ext.Simulation', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...texts.EMPTY, ...ASKED, isBusy: true })
        this.getView().setModel(this.state, 'sim')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        const route = this.getAppComponent().getRouter().getRoute('Simulation')
        route.attachPatternMatched((event) =>
          this.open(event.getParameter('arguments')['?query'] ?? {}),
        )
      },

      /** @param query what is asked for, as the address has it */
      async open({ target, days, budget, by }) {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        const amount = Number(budget)
        this.set({
          targets: texts.targets(this.bundle),
          target: target ?? '',
          changeDays: Number(days) || 0,
          budget: amount > 0 ? numbers.amounts().format(amount) : '',
          by: by ?? 'abc',
        })
        await this.read()
      },

      /** Lists as a whole: a model's own merge would keep what a longer one had at its end. */
      set(values) {
        this.state.setData({ ...this.state.getData(), ...values })
      },

      /** What is asked for stands in the address: it can be sent on, and Back leads to what was asked before. */
      onAsk() {
        const { target, changeDays, budget: text, by } = this.state.getData()
        const budget = numbers.limitOf(text, numbers.amounts())
        const isFault = Number.isNaN(budget)
        this.set({ budgetState: isFault ? 'Error' : 'None' })
        if (isFault) return
        const query = {
          ...(target && { target }),
          ...(changeDays && { days: String(changeDays) }),
          ...(budget && { budget: String(budget) }),
          ...(by !== 'abc' && { by }),
        }
        this.getAppComponent().getRouter().navTo('Simulation', { '?query': query })
      },

      async read() {
        const asked = (this.asked = {})
        const { target, changeDays, budget, by } = this.state.getData()
        const limit = numbers.limitOf(budget, numbers.amounts())
        this.set({ isBusy: true })
        try {
          const operation = this.getView().getModel().bindContext('/simulate(...)')
          const parameters = {
            ...{ target: target ? Number(target) : null, changeDays, by },
            budget: limit ? String(limit) : null,
            ...{ supplier: null, location: null, skuGroup: null },
          }
          for (const [name, value] of Object.entries(parameters))
            operation.setParameter(name, value)
          await operation.invoke()
          if (asked !== this.asked) return
          const found = operation.getBoundContext().getObject()
          this.set({ ...texts.ofSimulation(this.bundle, found, { limit, by }), error: '' })
        } catch (error) {
          if (asked === this.asked) this.set({ error: error.message })
        } finally {
          if (asked === this.asked) this.set({ isBusy: false })
        }
      },
    })
  },
)
