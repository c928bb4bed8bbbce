// Actions whose answer is shown, once, and the way into the wizard. `this` is the page's extension API.
sap.ui.define(
  [
    'sap/m/MessageBox',
    'sap/m/MessageToast',
    'sap/ui/core/format/DateFormat',
    'sap/ui/core/format/NumberFormat',
    './once',
  ],
  (MessageBox, MessageToast, DateFormat, NumberFormat, showOnce) => {
    const textsOf = async (api) => {
      const bundle = await api.getModel('i18n').getResourceBundle()
      return (key, values) => bundle.getText(key, values)
    }

    /** Calls an action by a dialog for its parameters; nothing where that was cancelled or refused. */
    async function invoke(api, name, options = {}) {
      try {
        const answer = await api.getEditFlow().invokeAction(`AdminService.${name}`, {
          model: api.getModel(),
          ...options,
        })
        const [first] = [answer].flat()
        return (first?.value ?? first)?.getObject?.() ?? null
      } catch {
        // What was refused has been told by the dialog of messages.
        return null
      }
    }

    const whole = NumberFormat.getIntegerInstance({ groupingEnabled: true })

    const until = (text, time) =>
      time
        ? text('oldUntil', [
            DateFormat.getDateTimeInstance({ style: 'medium' }).format(new Date(time)),
          ])
        : undefined

    /** The table's own binding, for actions of all its rows. */
    const collection = (api, entitySet) =>
      api.getModel().bindList(`/${entitySet}`).getHeaderContext()

    return {
      openWizard() {
        location.hash = '#/SourceTypes'
      },

      async issueKey() {
        const text = await textsOf(this)
        const key = await invoke(this, 'issue', {
          contexts: collection(this, 'ApiKeys'),
          label: text('issueKey'),
        })
        if (!key) return
        await showOnce({ title: text('newKey'), secret: key.key }, text)
        this.refresh()
      },

      async rotateKey(_context, selected) {
        const text = await textsOf(this)
        const key = await invoke(this, 'rotate', { contexts: selected, skipParameterDialog: true })
        if (!key) return
        const note = until(text, key.oldKeyExpiresAt)
        await showOnce({ title: text('newKey'), secret: key.key, note }, text)
        this.refresh()
      },

      async addWebhook() {
        const text = await textsOf(this)
        const hook = await invoke(this, 'add', {
          contexts: collection(this, 'Webhooks'),
          label: text('addWebhook'),
        })
        if (!hook) return
        await showOnce({ title: text('newSecret'), secret: hook.secret }, text)
        this.refresh()
      },

      async rotateSecret(context) {
        const text = await textsOf(this)
        const hook = await invoke(this, 'rotate', { contexts: context, skipParameterDialog: true })
        if (!hook) return
        const note = until(text, hook.oldExpiresAt)
        await showOnce({ title: text('newSecret'), secret: hook.secret, note }, text)
      },

      async consentAgain(context) {
        const text = await textsOf(this)
        const consent = await invoke(this, 'consentAgain', {
          contexts: context,
          label: text('consentAgain'),
        })
        if (!consent?.authorizationUrl) return context.refresh()
        window.open(consent.authorizationUrl, '_blank', 'noopener')
        MessageToast.show(text('consentWindow'), { duration: 6000 })
        context.refresh()
      },

      async verifyAudit() {
        const text = await textsOf(this)
        let found = {}
        do {
          const binding = this.getModel().bindContext('/verifyAudit(...)')
          if (found.nextSeq) {
            binding.setParameter('afterSeq', found.nextSeq)
            binding.setParameter('afterHash', found.nextHash)
          }
          await binding.invoke()
          found = binding.getBoundContext().getObject()
        } while (found.nextSeq)
        const { valid, entries, seq, problem } = found
        if (valid) MessageBox.success(text('auditValid', [whole.format(entries)]))
        else MessageBox.error(text('auditBroken', [seq, problem]))
      },
    }
  },
)
