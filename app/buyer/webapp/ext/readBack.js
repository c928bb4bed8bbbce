// Quantities that somebody has changed in the exported list, read back: what would change is shown first, and then typed for each
// proposal. It holds once a person approves the row.
sap.ui.define(
  [
    'sap/m/MessageToast',
    'sap/ui/model/json/JSONModel',
    './bulkEdit',
    './openFragment',
    './quantity',
    './sums',
  ],
  (MessageToast, JSONModel, bulkEdit, openFragment, quantity, sums) => {
    const READ = { edits: [], summary: '', error: '', usable: 0, isBusy: false }

    async function base64Of(file) {
      const bytes = new Uint8Array(await file.arrayBuffer())
      let text = ''
      for (const byte of bytes) text += String.fromCharCode(byte)
      return globalThis.btoa(text)
    }

    async function open(api) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const text = (key, ...values) => bundle.getText(key, values)
      const state = new JSONModel({ ...READ })
      state.setSizeLimit(1_000)

      /** What the service says, or what is wrong with the quantity as it would be where it is typed. */
      function faultOf(edit) {
        if (edit.fault) return edit.fault
        const found = quantity.fault(edit.quantity, edit)
        return found ? text(found[0], ...found[1].map(sums.whole)) : ''
      }

      async function read(file) {
        state.setData({ ...READ, isBusy: true })
        const operation = api.getModel().bindContext('/readEdits(...)')
        operation.setParameter('file', await base64Of(file))
        try {
          await operation.invoke('$direct')
          const { edits, unchanged } = operation.getBoundContext().getObject()
          const rows = edits.map((edit) => ({
            ...{ ...edit, fault: faultOf(edit) },
            shown: /^\d+$/.test(edit.quantity) ? sums.whole(edit.quantity) : edit.quantity,
          }))
          const usable = rows.filter(({ fault }) => !fault).length
          const counts = [usable, rows.length - usable, unchanged].map(sums.whole)
          state.setData({
            ...READ,
            edits: rows,
            usable,
            summary: text('readBackSummary', ...counts),
          })
        } catch (error) {
          state.setData({ ...READ, error: error.message })
        } finally {
          operation.destroy()
        }
      }

      const handlers = {
        onFile: (event) => {
          const [file] = event.getParameter('files')
          if (file) read(file)
        },
        onApply() {
          const edits = state.getProperty('/edits').filter(({ fault }) => !fault)
          for (const { ID, quantity: units, before } of edits)
            quantity.keep(ID, String(units), before)
          bulkEdit.showTyped(edits.map(({ ID }) => ID))
          MessageToast.show(text('readBackDone', sums.whole(edits.length)))
          dialog.close()
        },
        onClose: () => dialog.close(),
      }
      const dialog = await openFragment(api, 'ReadBack', { back: state }, handlers)
    }

    return {
      open() {
        return open(this).catch(({ message }) => message)
      },
    }
  },
)
