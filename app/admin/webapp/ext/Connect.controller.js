// The wizard: what is entered, the consent in a window of its own, then rights and a test.
sap.ui.define(
  ['sap/fe/core/PageController', 'sap/ui/model/json/JSONModel'],
  (PageController, JSONModel) => {
    const PAUSE_MS = 1500
    const EMPTY = {
      type: 's4hana',
      account: '',
      role: '',
      baseUrl: '',
      clientId: '',
      clientSecret: '',
      options: '',
    }
    const NEEDED = ['account']

    /** `name=value` a line. @returns null where a line is none */
    function optionsIn(text) {
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
      if (lines.some((line) => line.indexOf('=') < 1)) return null
      return lines.map((line) => {
        const at = line.indexOf('=')
        return { name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }
      })
    }

    return PageController.extend('restock.admin.ext.Connect', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...EMPTY })
        this.getView().setModel(this.state, 'w')
      },
      onExit(...all) {
        clearTimeout(this._timer)
        PageController.prototype.onExit?.apply(this, all)
      },

      async onConnect() {
        const entered = this.state.getData()
        const options = optionsIn(entered.options)
        const lacking = NEEDED.find((name) => !entered[name].trim())
        if (lacking) return this.refuse(await this.text('needed'), lacking)
        if (!options) return this.refuse(await this.text('badOption'), 'options')
        this.refuse(null)
        const { type, account, role, baseUrl, clientId, clientSecret } = entered
        const wish = { type, account, role, baseUrl, clientId, clientSecret, options }
        const consent = await this.call('/connect(...)', wish)
        if (!consent) return
        // The secret has been handed over: nothing of it stays in the page.
        this.set({ ...consent, clientSecret: '' })
        this.proceed('stepKind')
        if (consent.status === 'connected') return this.connected()
        this.onOpen()
        this.wait()
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
          this.wait()
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

      async onTest() {
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
        this.set({ busy: true })
        try {
          await binding.invoke('$direct')
          return binding.getBoundContext().getObject()
        } catch (error) {
          this.refuse(error.error?.message ?? error.message, error.error?.target)
          return null
        } finally {
          this.set({ busy: false })
        }
      },

      refuse(refusal, target = null) {
        this.set({ refusal, target })
        if (target) this.byId(target)?.focus()
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
