// A supplier's order on one page: what it holds, what it comes to, what would fill it, and all of it decided at once.
sap.ui.define(
  [
    'sap/fe/core/PageController',
    'sap/m/MessageBox',
    'sap/m/library',
    'sap/ui/Device',
    'sap/ui/model/json/JSONModel',
    './budgetNumbers',
    './decideOrder',
    './orderExport',
    './orderTexts',
    './passOn',
    './quantity',
    './workbenchKeys',
  ],
  (
    PageController,
    MessageBox,
    { URLHelper },
    Device,
    JSONModel,
    { amounts, limitOf },
    decideOrder,
    orderExport,
    texts,
    passOn,
    quantity,
    keys,
  ) => {
    const PAUSE_MS = 200
    const STATES = ['None', 'Error', 'Warning', 'Success']
    const HIGHLIGHTS = { order: 'Success', reject: 'Error', snooze: 'Information' }
    /** In a lower window the figures are closed until somebody wants them: the lines come first. */
    const LOW = 500
    const KEY = ['source', 'supplier', 'location', 'currency']
    const EMPTY = {
      ...{ lines: [], goals: [], suggestions: [], title: '', chosen: 0, total: 0, note: '' },
      ...{ shown: [], smallText: '', smallMark: '', isUnfolded: false },
      ...{ budget: '', budgetState: 'None', budgetLeft: null },
      ...{ canDecide: false, mayDecide: false, rejected: 0, snoozed: 0, error: '' },
    }

    const isSame = (a, b) => KEY.every((name) => String(a[name] ?? '') === String(b[name] ?? ''))
    /** What is absent or no number is null. */
    const numberOf = (text) => (/^\d+$/.test(text) ? Number(text) : null)

    return PageController.extend('restock.buyer.ext.Workbench', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...EMPTY, orders: [], at: '', isBusy: true })
        this.state.setSizeLimit(20_000)
        this.getView().setModel(this.state, 'order')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        keys.listen(this)
        if (globalThis.innerHeight < LOW) this.byId('page').setHeaderExpanded(false)
        const route = this.getAppComponent().getRouter().getRoute('SupplierOrder')
        route.attachPatternMatched((event) =>
          this.open(event.getParameter('arguments')['?query'] ?? {}),
        )
      },
      onExit(...all) {
        clearTimeout(this.timer)
        PageController.prototype.onExit?.apply(this, all)
      },

      /** @param query the order; the one that costs most to wait for where it names no supplier */
      async open({ source, supplier, location, currency }) {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        this.set({ isBusy: true, error: '' })
        try {
          const { value } = await this.call('openOrders')
          const orders = value.map((order, at) => texts.choice(this.bundle, order, at))
          const named = { supplier, location, currency }
          const isAsked = (order) =>
            Object.entries({ ...named, source }).every(
              ([name, wanted]) => wanted === undefined || String(order[name] ?? '') === wanted,
            )
          const at = supplier ? orders.findIndex(isAsked) : 0
          this.set({ orders, at: at < 0 ? '' : String(at) })
          const asked = { ...named, source: numberOf(source) }
          await this.read(orders[at] ?? asked)
        } catch (error) {
          this.set({ ...EMPTY, isBusy: false, error: error.message })
        }
      },

      /** Reads an order anew; what is due is chosen, but what was left open a moment ago. @param left numbers of proposals */
      async read(order, left = new Set()) {
        this.key = Object.fromEntries(KEY.map((name) => [name, order[name] ?? null]))
        const { supplier, source } = this.key
        const isNamed = supplier && source !== null
        const shown = isNamed
          ? await this.call('supplierOrder', this.key)
          : { ...EMPTY, ...this.key }
        const lines = this.linesOf(shown.lines, ({ ID, isChosen }) => isChosen && !left.has(ID))
        this.set({ ...EMPTY, ...shown, lines, isBusy: false })
        this.tell()
        const isOther = ({ ID, isChosen, mark }) =>
          quantity.of(ID) !== undefined || isChosen !== (mark === 'order')
        if (lines.some(isOther)) this.weigh()
        keys.focusLine(this, 0)
      },

      linesOf: (lines, isOrdered) =>
        lines.map((line) => ({
          ...line,
          mark: isOrdered(line) ? 'order' : 'leave',
          typed: String(quantity.of(line.ID) ?? line.proposedQuantity),
          // Set once: a field that somebody types in stays as it is.
          shown: quantity.shown(line.ID, line.proposedQuantity),
          fault: '',
        })),

      async call(name, parameters = {}) {
        const operation = this.getView().getModel().bindContext(`/${name}(...)`)
        for (const [key, value] of Object.entries(parameters)) operation.setParameter(key, value)
        await operation.invoke()
        return operation.getBoundContext().getObject()
      },

      set(values) {
        for (const [name, value] of Object.entries(values))
          this.state.setProperty(`/${name}`, value)
      },

      lines: (marked, lines) => lines.filter(({ mark }) => mark === marked),

      marked(mark) {
        return this.lines(mark, this.state.getProperty('/lines'))
      },

      /** `12@7:48`, as the service reads it. */
      asChosen: ({ ID, version, typed, proposedQuantity }) =>
        `${ID}@${version}${typed === String(proposedQuantity) ? '' : `:${encodeURIComponent(typed)}`}`,

      /** What is chosen is held against the supplier's terms and the user's limits after a pause. */
      weigh() {
        this.tell()
        clearTimeout(this.timer)
        this.timer = setTimeout(() => this.weighNow(), PAUSE_MS)
      },

      async weighNow() {
        const asked = (this.asked = {})
        const chosen = this.marked('order').map(this.asChosen).join(',')
        try {
          const { lines: read, ...order } = await this.call('supplierOrder', {
            ...this.key,
            chosen,
          })
          if (asked !== this.asked) return
          const byID = new Map(read.map((line) => [line.ID, line]))
          const lines = this.state.getProperty('/lines').map((line) => {
            const { value, unitCost, valueAtRisk, approval, refusal, breakText } =
              byID.get(line.ID) ?? line
            return { ...line, value, unitCost, valueAtRisk, approval, refusal, breakText }
          })
          this.set({ ...order, lines, error: '' })
          this.tell()
        } catch (error) {
          if (asked === this.asked) this.set({ error: error.message })
        }
      },

      tell() {
        this.set(texts.ofOrder(this.bundle, this.state.getData()))
      },

      mark(line, mark) {
        line.mark = mark
        this.state.refresh()
        this.weigh()
      },
      onMark(event) {
        const line = event.getSource().getBindingContext('order').getObject()
        this.mark(line, event.getParameter('item').getKey())
      },
      /** Small lines are one row, decided as one. */
      onMarkSmall(event) {
        const mark = event.getParameter('item').getKey()
        this.markAll((line) => (line.isSmall ? mark : line.mark))
      },
      onUnfold() {
        this.tell()
      },

      /** The money is spent on what protects most: those lines, or parts of them, are chosen. */
      async onBudget() {
        const { budget: text, spent } = this.state.getData()
        if (text === spent) return
        const budget = limitOf(text, amounts())
        this.set({ spent: text, budgetState: Number.isNaN(budget) ? 'Error' : 'None' })
        if (Number.isNaN(budget)) return
        if (budget === null) {
          this.set({ budgetLeft: null })
          return this.onAllDue()
        }
        try {
          const order = await this.call('supplierOrder', { ...this.key, budget: String(budget) })
          for (const { ID, quantity: units, proposedQuantity } of order.lines)
            if (String(units) !== (quantity.of(ID) ?? String(proposedQuantity)))
              quantity.keep(ID, String(units), proposedQuantity)
          this.set({ ...order, lines: this.linesOf(order.lines, ({ isChosen }) => isChosen) })
          this.set({ budgetLeft: Math.round(100 * (budget - order.value)) / 100 })
          this.tell()
        } catch (error) {
          this.set({ error: error.message })
        }
      },

      markAll(markOf) {
        for (const line of this.state.getProperty('/lines')) line.mark = markOf(line)
        this.state.refresh()
        this.weigh()
      },
      onAllDue() {
        this.markAll(({ isDueToday }) => (isDueToday ? 'order' : 'leave'))
      },
      onNoLine() {
        this.markAll(() => 'leave')
      },
      /** Those that this person may approve one after the other, what costs most to wait for first. */
      onFits() {
        this.markAll(({ mark, refusal }) => (mark === 'order' && refusal ? 'leave' : mark))
      },
      /** An e-mail to who may approve, with the address of this page; its program asks for addresses it does not know. */
      onAsk() {
        const { title, approvers, note } = this.state.getData()
        const to = approvers.split(', ').filter((name) => name.includes('@'))
        const body = `${note}\n\n${globalThis.location.href}`
        URLHelper.triggerEmail(to.join(','), title, body)
      },
      onPassOn() {
        return passOn.open(this)
      },
      onSuggestion(event) {
        const { action, proposals } = event.getSource().getBindingContext('order').getObject()
        const named = new Set(proposals.split(',').map(Number))
        const mark = action === 'add' ? 'order' : 'leave'
        this.markAll((line) => (named.has(line.ID) ? mark : line.mark))
      },

      onQuantity(event) {
        const input = event.getSource()
        const context = input.getBindingContext('order')
        const line = context.getObject()
        line.typed = quantity.keep(line.ID, event.getParameter('value'), line.proposedQuantity)
        const fault = quantity.fault(line.typed, line)
        line.fault = fault ? this.bundle.getText(fault[0], fault[1].map(texts.whole)) : ''
        input.setValueState(line.fault ? 'Error' : 'None')
        input.setValueStateText(line.fault)
        if (line.mark === 'leave') line.mark = 'order'
        this.weigh()
      },

      onSupplier(event) {
        this.go(Number(event.getSource().getSelectedKey()))
      },
      onNext() {
        this.go(Number(this.state.getProperty('/at')) + 1)
      },
      onPrevious() {
        this.go(Number(this.state.getProperty('/at')) - 1)
      },
      go(at) {
        const order = this.state.getProperty('/orders')[at]
        if (!order || isSame(order, this.key)) return
        const query = Object.fromEntries(
          KEY.map((name) => [name, order[name]]).filter(([, value]) => value !== null),
        )
        this.getAppComponent().getRouter().navTo('SupplierOrder', { '?query': query })
      },

      onExport() {
        orderExport.save(this.bundle, this.state.getData(), this.marked('order'))
      },
      onKeys() {
        MessageBox.information(this.bundle.getText('orderKeysText'), {
          title: this.bundle.getText('orderKeys'),
        })
      },

      async onDecide() {
        if (this.isAsking || !this.state.getProperty('/canDecide')) return
        this.isAsking = true
        await decideOrder.ask(this).finally(() => (this.isAsking = false))
      },

      /** What is left of the order; the next one is reached by one key. */
      async refresh(left) {
        const { orders: before, at } = this.state.getData()
        try {
          const { value } = await this.call('openOrders')
          const orders = value.map((order, index) => texts.choice(this.bundle, order, index))
          const here = orders.findIndex((order) => isSame(order, this.key))
          const following = before
            .slice(Number(at) + 1)
            .map((order) => orders.findIndex((each) => isSame(each, order)))
            .find((index) => index >= 0)
          // Nothing is left of it: the one before the next stands for it.
          const place = here >= 0 ? here : (following ?? orders.length) - 1
          this.set({ orders, at: String(place) })
          await this.read(this.key, left)
        } catch (error) {
          this.set({ isBusy: false, error: error.message })
        }
      },

      highlightOf: (mark) => HIGHLIGHTS[mark] ?? 'None',
      stateOf: (criticality) => STATES[criticality] ?? 'None',
    })
  },
)
