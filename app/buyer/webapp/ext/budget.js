// A dialog that fills a budget of money or units with the lines whose waiting costs most, and approves them as shown.
sap.ui.define(
  [
    'sap/ui/Device',
    'sap/ui/model/json/JSONModel',
    './budgetNumbers',
    './decide',
    './money',
    './quantity',
  ],
  (Device, JSONModel, { amounts, limitOf, totals, whole, wholes }, decide, { money }, quantity) => {
    const PAUSE_MS = 300
    /** As many as the service takes in one call. */
    const MOST = 1000

    const EMPTY = {
      ...{ taken: [], rest: [], sums: null, error: '', notes: '', isBusy: false, comment: '' },
      ...{
        key: '',
        money: '',
        units: '',
        moneyState: 'None',
        unitsState: 'None',
        container: null,
        containers: 0,
      },
    }

    class Budget {
      constructor(api, bundle) {
        this.api = api
        this.bundle = bundle
        this.state = new JSONModel({ ...EMPTY, suppliers: [] })
        this.state.setSizeLimit(20_000)
        this.dialog = null
      }

      /** @param selected rows of the list; a supplier that all of them have is chosen */
      async open(selected) {
        const asked = [...new Set(selected.map((row) => row.getProperty('supplier')))]
        this.state.setData({ ...this.state.getData(), ...EMPTY })
        try {
          const { value: suppliers } = await this.call('openSuppliers')
          this.state.setProperty('/suppliers', suppliers.map(this.toChoice, this))
          const isAsked = ({ supplier }) => asked.length === 1 && supplier === asked[0]
          const found = suppliers.findIndex(isAsked)
          this.choose(found < 0 ? '' : String(found))
        } catch (error) {
          this.state.setProperty('/error', error.message)
        }
        this.dialog.open()
      }

      toChoice({ supplier, supplierName, currency, lines, value, containerUnits }, at) {
        const text = supplierName ? `${supplier} (${supplierName})` : supplier
        const open = `${money(value, currency)} · ${this.lines(lines)}`
        return { key: String(at), text, open, supplier, currency, container: containerUnits }
      }

      choose(key) {
        const chosen = this.state.getProperty('/suppliers')[key]
        this.state.setProperty('/key', chosen ? key : '')
        const container = chosen?.container ?? null
        const label = container ? this.text('budgetContainers', whole(container)) : ''
        this.state.setProperty('/container', container)
        this.state.setProperty('/containerLabel', label)
        this.ask()
      }

      onSupplier(event) {
        this.choose(event.getSource().getSelectedKey())
      }

      onContainers(event) {
        const count = event.getParameter('value')
        const units = count * this.state.getProperty('/container')
        this.state.setProperty('/units', units ? wholes().format(units) : '')
        this.ask()
      }

      /** Asks after a pause in the typing; an answer that is no longer wanted is dropped. */
      ask() {
        clearTimeout(this.timer)
        // What was asked before is no longer approved.
        this.state.setProperty('/sums', null)
        this.timer = setTimeout(() => this.fill(), PAUSE_MS)
      }

      async fill() {
        const { key, suppliers, money, units } = this.state.getData()
        const limits = [limitOf(money, amounts()), limitOf(units, wholes())]
        const [moneyState, unitsState] = limits.map((limit) =>
          Number.isNaN(limit) ? 'Error' : 'None',
        )
        const asked = (this.asked = {})
        const nothing = { taken: [], rest: [], sums: null, error: '', notes: '', isBusy: false }
        this.state.setData({ ...this.state.getData(), ...nothing, moneyState, unitsState })
        const { supplier, currency } = suppliers[key] ?? {}
        const isReady =
          supplier && !limits.some(Number.isNaN) && limits.some((each) => each !== null)
        if (!isReady) return
        this.state.setProperty('/isBusy', true)
        try {
          const [budget, most] = limits
          const filled = await this.call('fillBudget', { supplier, currency, budget, units: most })
          if (asked === this.asked) this.show(filled, limits)
        } catch (error) {
          if (asked === this.asked) this.state.setProperty('/error', error.message)
        }
        if (asked === this.asked) this.state.setProperty('/isBusy', false)
      }

      async call(name, parameters = {}) {
        const operation = this.api.getModel().bindContext(`/${name}(...)`)
        for (const [key, value] of Object.entries(parameters))
          if (value !== null && value !== undefined)
            operation.setParameter(key, key === 'budget' ? String(value) : value)
        await operation.invoke()
        return operation.getBoundContext().getObject()
      }

      show(filled, limits) {
        const toRow = (part) => ({
          ...part,
          quantity: Number(part.quantity),
          proposedQuantity: Number(part.proposedQuantity),
          isSelected: true,
        })
        this.filled = { ...filled, limits }
        const notes = [
          ...(filled.otherCurrency
            ? [this.text('budgetOtherCurrency', this.lines(filled.otherCurrency))]
            : []),
          ...(filled.withoutCost
            ? [this.text('budgetWithoutCost', this.lines(filled.withoutCost))]
            : []),
          ...(filled.taken.length ? [] : [this.text('budgetNothing')]),
          ...(filled.taken.length > MOST ? [this.text('budgetMost', whole(MOST))] : []),
        ]
        this.state.setProperty('/notes', notes.join(' '))
        this.state.setProperty('/currency', filled.currency)
        this.state.setProperty('/mayApprove', filled.mayApprove)
        this.state.setProperty('/rest', filled.rest.map(toRow))
        this.state.setProperty('/taken', filled.taken.map(toRow))
        this.addUp()
      }

      /** The running sum of the selected lines, and what is left and left out with them. */
      addUp() {
        const { currency } = this.filled
        const { taken, sum, out, left } = totals(this.state.getProperty('/taken'), this.filled)
        const rest = [
          ...(left.money === null ? [] : [money(left.money, currency)]),
          ...(left.units === null ? [] : [this.text('budgetUnits', whole(left.units))]),
        ]
        const [lines, value] = [this.lines(sum.lines), money(sum.value, currency)]
        this.state.setProperty('/taken', taken)
        this.state.setProperty('/sums', {
          taken: this.text('budgetTaken', lines, whole(sum.units), value, rest.join(', ')),
          protects: this.text('budgetProtects', money(sum.risk, currency)),
          rest: this.text(
            ...['budgetRest', money(out.value, currency), money(out.risk, currency)],
            this.lines(out.lines),
          ),
          approve: this.text('budgetApprove', lines, value),
          canApprove: sum.lines > 0 && sum.lines <= MOST,
        })
      }

      async onApprove() {
        const lines = this.state.getProperty('/taken').filter(({ isSelected }) => isSelected)
        const value = lines.map(toApproval).join(',')
        const comment = this.state.getProperty('/comment').trim()
        const parameterValues = [
          { name: 'proposals', value },
          { name: 'comment', value: comment },
        ]
        const model = this.api.getModel()
        const label = this.text('approve')
        this.state.setProperty('/isBusy', true)
        try {
          const options = { model, label, parameterValues, skipParameterDialog: true }
          await this.api.editFlow.invokeAction('approveMany', options)
          quantity.forget(lines.map(({ ID }) => ID))
          this.onClose()
          await this.api.refresh()
        } catch (error) {
          await decide.afterFailure(this.api, error, { rows: lines, can: 'canApprove' })
          this.fill()
        }
        this.state.setProperty('/isBusy', false)
      }

      onClose() {
        clearTimeout(this.timer)
        this.dialog.close()
      }

      text(key, ...values) {
        return this.bundle.getText(key, values)
      }

      lines(count) {
        return this.text(count === 1 ? 'budgetLine' : 'budgetLines', whole(count))
      }
    }

    /** `12@7`, or `12@7:48` for a part, as the service reads it. */
    const toApproval = ({ ID, version, quantity: part, proposedQuantity }) =>
      `${ID}@${version}${part === proposedQuantity ? '' : `:${part}`}`

    /** One a list: a page may have several. */
    const budgets = new WeakMap()

    async function budgetOf(api) {
      const model = api.getModel('i18n')
      const budget = new Budget(api, await model.getResourceBundle())
      const controller = Object.fromEntries(
        ['onSupplier', 'onContainers', 'onApprove', 'onClose', 'ask', 'addUp'].map((name) => [
          name,
          (event) => budget[name](event),
        ]),
      )
      const name = 'restock.buyer.ext.Budget'
      budget.dialog = await api.loadFragment({ id: 'restock.buyer.budget', name, controller })
      budget.dialog.setModel(budget.state, 'budget')
      budget.dialog.setStretch(Device.system.phone)
      return budget
    }

    return {
      async open(_context, selected) {
        if (!budgets.has(this)) budgets.set(this, budgetOf(this))
        const budget = await budgets.get(this)
        await budget.open(selected ?? [])
      },
    }
  },
)
