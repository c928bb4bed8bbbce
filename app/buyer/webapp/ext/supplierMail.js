// E-mails to suppliers about the orders that are selected among the exceptions: to be read, changed, copied, or opened in the
// person's own program.
sap.ui.define(
  [
    'sap/m/MessageToast',
    'sap/m/library',
    'sap/base/i18n/Localization',
    'sap/ui/model/json/JSONModel',
    './openFragment',
  ],
  (MessageToast, { URLHelper }, Localization, JSONModel, openFragment) => {
    /** Programs that mails are handed over to cut longer addresses. */
    const LONGEST = 1_900

    const addressOf = ({ subject, body }) =>
      `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`

    async function openDialog(api, exceptions) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const model = api.getModel()
      const state = new JSONModel({ mails: [], isBusy: true, isEmpty: false, error: '' })
      state.setProperty('/language', Localization.getLanguage().startsWith('de') ? 'de' : 'en')
      const mailOf = (event) => event.getSource().getBindingContext('mail').getObject()

      async function copy(mail) {
        await globalThis.navigator.clipboard.writeText(`${mail.subject}\n\n${mail.body}`)
        MessageToast.show(bundle.getText('mailCopied'))
      }

      const handlers = {
        async onLanguage() {
          state.setProperty('/isBusy', true)
          const operation = model.bindContext('/supplierMails(...)')
          operation.setParameter('exceptions', exceptions)
          operation.setParameter('language', state.getProperty('/language'))
          try {
            await operation.invoke()
            const { value: mails } = operation.getBoundContext().getObject()
            state.setProperty('/mails', mails)
            state.setProperty('/isEmpty', mails.length === 0)
            state.setProperty('/error', '')
          } catch (error) {
            state.setProperty('/error', error.message)
          }
          state.setProperty('/isBusy', false)
          operation.destroy()
        },
        onCopy: (event) => copy(mailOf(event)),
        async onOpen(event) {
          const mail = mailOf(event)
          const address = addressOf(mail)
          if (address.length <= LONGEST) return URLHelper.redirect(address)
          await copy(mail)
          MessageToast.show(bundle.getText('mailTooLong'))
          URLHelper.redirect(addressOf({ ...mail, body: '' }))
        },
        onClose: () => dialog.close(),
      }
      const dialog = await openFragment(api, 'SupplierMail', { mail: state }, handlers)
      await handlers.onLanguage()
    }

    return {
      open(_context, selected) {
        return openDialog(this, selected.map((row) => row.getProperty('ID')).join(','))
      },
    }
  },
)
