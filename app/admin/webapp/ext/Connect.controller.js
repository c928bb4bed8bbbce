// The wizard: what the kind of ERP asks for, a test stream by stream that stores nothing, the consent in a window of its
// own, then the first sync. An attempt that is given up leaves nothing behind.
sap.ui.define(
  [
    'sap/fe/core/PageController',
    'sap/ui/core/Messaging',
    'sap/ui/model/json/JSONModel',
    './connectionFields',
  ],
  (PageController, Messaging, JSONModel, connectionFields) => {
    const PAUSE_MS = 1500
    const EMPTY = { type: 's4hana', fields: [], main: [], further: [], isTested: false }

    return PageController.extend('restock.admin.ext.Connect', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...EMPTY })
        this.state.setSizeLimit(500)
        this.getView().setModel(this.state, 'w')
        for (const part of ['main', 'further']) {
          this.byId(part).bindAggregation('items', {
            path: `w>/${part}`,
            factory: connectionFields.make,
          })
        }
      },
      /** The view has its models only once it stands in the page. */
      onBeforeRendering(...all) {
        PageController.prototype.onBeforeRendering?.apply(this, all)
        this._fields ??= this.readFields()
      },
      onExit(...all) {
        this.giveUp()
        clearTimeout(this._timer)
        PageController.prototype.onExit?.apply(this, all)
      },

      async readFields() {
        const [yes, no, open] = await Promise.all(['yes', 'no', 'asDefault'].map(this.text, this))
        const contexts = await this.getView()
          .getModel()
          .bindList('/ConnectionFields')
          .requestContexts(0, Infinity)
        const fields = contexts.map((context) =>
          connectionFields.prepare(context.getObject(), { yes, no, open }),
        )
        this.set({ all: fields })
        this.onType()
        setTimeout(() => this.byId('type')?.focus())
      },

      onType() {
        const type = this.state.getProperty('/type')
        const fields = (this.state.getProperty('/all') ?? [])
          .filter((field) => field.type === type)
          .sort((a, b) => a.position - b.position)
        this.set({
          ...{ fields, refusal: null },
          main: fields.filter(({ isMain }) => isMain),
          further: fields.filter(({ isMain }) => !isMain),
        })
      },

      /** What was entered, as the service takes it. */
      entered() {
        const fields = this.state.getProperty('/fields')
        const named = fields.filter(({ isOption }) => !isOption)
        const options = fields.filter(({ isOption, value }) => isOption && String(value).trim())
        return {
          type: this.state.getProperty('/type'),
          ...Object.fromEntries(named.map(({ name, value }) => [name, String(value).trim()])),
          options: options.map(({ name, value }) => ({ name, value: String(value).trim() })),
        }
      },

      async onTest() {
        this.clearErrors()
        const lacking = this.state
          .getProperty('/fields')
          .find(({ isRequired, value }) => isRequired && !String(value).trim())
        if (lacking) return this.blame(lacking.name, await this.text('needed'))
        const test = await this.call('/testConnection(...)', this.entered())
        if (!test) return
        this.set({ test, isTested: true })
        this.proceed('stepSystem')
      },

      async onConnect() {
        const consent = await this.call('/connect(...)', this.entered())
        if (!consent) return
        this.set({ ...consent, problem: null })
        this.forgetSecrets()
        this.proceed('stepTest')
        if (consent.status === 'connected') return this.connected()
        this.onOpen()
        this.wait()
      },

      /** The secret has been handed over: nothing of it stays in the page. */
      forgetSecrets() {
        this.state
          .getProperty('/fields')
          .filter(({ kind }) => kind === 'secret')
          .forEach((field) => this.setField(field, 'value', ''))
      },

      /** Back to what was entered; nothing of the attempt stays. */
      async onChange() {
        clearTimeout(this._timer)
        await this.giveUp()
        this.set({ isTested: false, test: null, refusal: null, source: null, status: null })
        this.byId('wizard').discardProgress(this.byId('stepSystem'))
        this.byId('stepSystem').setValidated(false)
      },

      async giveUp() {
        const { source, status } = this.state.getData()
        if (!source || status === 'connected') return
        this.set({ source: null })
        await this.call(`/Sources(${source})/AdminService.giveUp(...)`, {})
      },

      onOpen() {
        window.open(this.state.getProperty('/authorizationUrl'), '_blank', 'noopener')
      },

      /** Until somebody has consented, or the consent came to nothing. */
      wait() {
        this._timer = setTimeout(async () => {
          const { status, problemText } = await this.look()
          this.set({ problem: problemText })
          if (status === 'connected') return this.connected()
          if (this.state.getProperty('/source')) this.wait()
        }, PAUSE_MS)
      },

      async look() {
        const path = `/Sources(${this.state.getProperty('/source')})`
        const binding = this.getView().getModel().bindContext(path, undefined, {
          $select: 'ID,status,problemText',
          $$groupId: '$direct',
        })
        try {
          return await binding.requestObject()
        } catch {
          return {}
        } finally {
          binding.destroy()
        }
      },

      connected() {
        this.set({ status: 'connected', problem: null })
        this.proceed('stepConsent')
        this.show()
      },

      /** Needed and granted rights, and what became of the streams. */
      async show() {
        const source = `/Sources(${this.state.getProperty('/source')})`
        const model = this.getView().getModel()
        for (const part of ['rights', 'streams']) {
          const contexts = await model.bindList(`${source}/${part}`).requestContexts()
          this.set({ [part]: contexts.map((context) => context.getObject()) })
        }
      },

      async onTestAgain() {
        await this.call(
          `/Sources(${this.state.getProperty('/source')})/AdminService.check(...)`,
          {},
        )
        this.show()
      },

      async onFirstSync() {
        const source = `/Sources(${this.state.getProperty('/source')})`
        const sync = await this.call(`${source}/AdminService.syncNow(...)`, { mode: 'full' })
        if (sync) location.hash = `#/Syncs(${sync.ID})`
      },

      onShow() {
        location.hash = `#/Sources(${this.state.getProperty('/source')})`
      },

      onBack() {
        location.hash = '#/Sources'
      },

      /** An action's answer; null where it was refused, which is shown. */
      async call(path, parameters) {
        const binding = this.getView().getModel().bindContext(path)
        for (const [name, value] of Object.entries(parameters)) binding.setParameter(name, value)
        this.set({ busy: true, refusal: null })
        try {
          await binding.invoke('$direct')
          return binding.getBoundContext().getObject() ?? null
        } catch (error) {
          const { message, target } = error.error ?? error
          // UI5 writes the way to a parameter, and the service that to an option, before its name.
          const [name] = String(target ?? '')
            .split('/')
            .slice(-1)
          this.blame(name, message)
          return null
        } finally {
          // What was said stands beside its field: no other page shall say it again.
          Messaging.removeAllMessages()
          this.set({ busy: false })
        }
      },

      clearErrors() {
        this.state.getProperty('/fields').forEach((field) => this.setField(field, 'error', null))
        this.set({ refusal: null })
      },

      /** Says what is wrong beside its field, or above all of them where it is of none that is shown. */
      blame(name, message) {
        const field = this.state.getProperty('/fields').find((each) => each.name === name)
        if (!field) {
          this.set({ refusal: message })
          return this.showRefusal()
        }
        this.setField(field, 'error', message)
        this.set({ refusal: this.state.getProperty('/isTested') ? message : null })
        if (!field.isMain) this.byId('furtherPanel').setExpanded(true)
        this.focusField(name)
      },

      /** The button may be far below it. */
      showRefusal() {
        const strip = this.byId(this.state.getProperty('/isTested') ? 'refused' : 'refusal')
        setTimeout(() => strip.getDomRef()?.scrollIntoView({ block: 'center' }))
      },

      /** By its place: a refresh of the whole would make its control anew, and the focus would be lost. */
      setField(field, member, value) {
        const part = field.isMain ? 'main' : 'further'
        const at = this.state.getProperty(`/${part}`).indexOf(field)
        if (at >= 0) this.state.setProperty(`/${part}/${at}/${member}`, value)
      },

      focusField(name) {
        const boxes = [...this.byId('main').getItems(), ...this.byId('further').getItems()]
        const controls = boxes.flatMap((box) => box.getItems())
        controls.find((control) => control.data('field') === name)?.focus()
      },

      /** To the next step, once. */
      proceed(step) {
        this.byId(step).setValidated(true)
        this.byId('wizard').nextStep()
      },

      set(values) {
        for (const [name, value] of Object.entries(values))
          this.state.setProperty(`/${name}`, value)
      },

      async text(key) {
        return (await this.getView().getModel('i18n').getResourceBundle()).getText(key)
      },
    })
  },
)
