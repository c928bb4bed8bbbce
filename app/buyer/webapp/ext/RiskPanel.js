// A slider over quantities, and what no order, the proposed and the chosen quantity would mean.
sap.ui.define(
  [
    'sap/ui/core/Control',
    'sap/ui/core/Fragment',
    'sap/ui/model/json/JSONModel',
    'sap/ui/core/format/NumberFormat',
  ],
  (Control, Fragment, JSONModel, NumberFormat) => {
    const PAUSE_MS = 250
    const MOST_STEPS = 200

    const numberProperty = { type: 'float', defaultValue: null }

    return Control.extend('restock.buyer.ext.RiskPanel', {
      metadata: {
        properties: {
          proposal: numberProperty,
          quantity: numberProperty,
          lotSize: numberProperty,
          moq: numberProperty,
          mayApprove: { type: 'boolean', defaultValue: false },
        },
        aggregations: {
          _content: { type: 'sap.ui.core.Control', multiple: false, visibility: 'hidden' },
        },
        events: { approve: { parameters: { quantity: { type: 'int' } } } },
      },
      renderer: {
        apiVersion: 2,
        render(rm, panel) {
          rm.openStart('div', panel).openEnd()
          const content = panel.getAggregation('_content')
          if (content) rm.renderControl(content)
          rm.close('div')
        },
      },

      init() {
        this.state = new JSONModel({ rows: [], error: '', chosen: 0, most: 1, step: 1, least: 0 })
        Fragment.load({ name: 'restock.buyer.ext.RiskContent', controller: this }).then(
          (content) => {
            content.setModel(this.state, 'risk')
            this.setAggregation('_content', content)
          },
        )
      },

      exit() {
        clearTimeout(this.timer)
        this.state.destroy()
      },

      setProposal(value) {
        this.setProperty('proposal', value, true)
        this.begin()
        return this
      },

      setQuantity(value) {
        this.setProperty('quantity', value, true)
        this.begin()
        return this
      },

      setLotSize(value) {
        this.setProperty('lotSize', value, true)
        this.begin()
        return this
      },

      setMayApprove(value) {
        this.setProperty('mayApprove', value, true)
        this.state.setProperty('/mayApprove', value)
        return this
      },

      /** A proposal has come: its own quantity is chosen first. */
      begin() {
        const [quantity, lot] = [this.getQuantity(), this.getLotSize()]
        if (this.getProposal() === null || quantity === null || lot === null) return
        const whole = Math.max(1, Math.ceil(lot))
        const most = Math.max(3 * quantity, 10 * whole)
        const step = whole * Math.max(1, Math.ceil(most / whole / MOST_STEPS))
        // The steps begin where the proposed quantity is one of them.
        const least = quantity % step
        const bounds = {
          least,
          most: least + Math.ceil(most / step) * step,
          step,
          chosen: quantity,
        }
        this.state.setData({ ...this.state.getData(), ...bounds })
        this.ask()
      },

      onChoose(event) {
        this.state.setProperty('/chosen', event.getParameter('value'))
        this.ask()
      },

      onApprove() {
        this.fireApprove({ quantity: this.state.getProperty('/chosen') })
      },

      /** Asks after a pause in the sliding; an answer that is no longer wanted is dropped. */
      ask() {
        clearTimeout(this.timer)
        this.timer = setTimeout(() => this.read(), PAUSE_MS)
      },

      async read() {
        const context = this.getBindingContext()
        if (!context) return
        const quantity = this.state.getProperty('/chosen')
        const operation = context.getModel().bindContext('BuyerService.risk(...)', context)
        operation.setParameter('quantity', String(quantity))
        try {
          await operation.invoke()
          const risk = operation.getBoundContext().getObject()
          if (quantity === this.state.getProperty('/chosen')) this.show(risk)
        } catch (error) {
          this.state.setProperty('/rows', [])
          this.state.setProperty('/error', error.message)
        } finally {
          operation.destroy()
        }
      },

      async show({ none, proposed, asked, currency }) {
        const bundle = await this.getModel('i18n').getResourceBundle()
        const percents = NumberFormat.getFloatInstance({ maxFractionDigits: 1 })
        const chance = (value) => ({
          text: `${percents.format(100 * value)} %`,
          state: value > 0.5 ? 'Error' : value > 0.1 ? 'Warning' : 'Success',
        })
        const row = (key, risk) => ({
          ...risk,
          title: bundle.getText(key),
          quantity: Number(risk.quantity),
          value: risk.value === null ? null : Number(risk.value),
          currency,
          before: chance(risk.stockoutBeforeArrival),
          after: chance(risk.stockoutAfterArrival),
        })
        const rows = [
          row('riskNone', none),
          row('riskProposed', proposed),
          row('riskChosen', asked),
        ]
        this.state.setProperty('/error', '')
        this.state.setProperty('/rows', rows)
      },
    })
  },
)
