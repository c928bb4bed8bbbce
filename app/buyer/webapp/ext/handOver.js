// Approved lines as a file of the ERP's own import. It leaves a mark: lines that were taken before are named, and taken again only
// where the person says so.
sap.ui.define(
  ['sap/m/MessageToast', 'sap/ui/model/json/JSONModel', './openFragment'],
  (MessageToast, JSONModel, openFragment) => {
    const bytesOf = (base64) =>
      Uint8Array.from(globalThis.atob(base64), (letter) => letter.charCodeAt(0))

    /** As a download of the browser. */
    function save({ fileName, mimeType, content }) {
      const url = URL.createObjectURL(new globalThis.Blob([bytesOf(content)], { type: mimeType }))
      const link = document.createElement('a')
      Object.assign(link, { href: url, download: fileName })
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    }

    async function openDialog(api, rows) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const model = api.getModel()
      const state = new JSONModel({
        ...{ isBusy: false, isTaken: false, perSupplier: false, error: '' },
        text: bundle.getText(rows.length === 1 ? 'handOverOne' : 'handOverText', [rows.length]),
      })

      async function take(takenBefore) {
        state.setProperty('/isBusy', true)
        const operation = model.bindContext('/handOver(...)')
        operation.setParameter('proposals', rows.map((row) => row.getProperty('ID')).join(','))
        operation.setParameter('perSupplier', state.getProperty('/perSupplier'))
        operation.setParameter('takenBefore', takenBefore)
        try {
          await operation.invoke()
          const { value: files } = operation.getBoundContext().getObject()
          files.forEach(save)
          const lines = files.reduce((sum, file) => sum + file.lines, 0)
          MessageToast.show(bundle.getText('handOverDone', [lines, files.length]))
          dialog.close()
          await api.refresh?.()
        } catch (error) {
          state.setProperty('/error', error.message)
          state.setProperty('/isTaken', error.error?.code === 'already_handed_over')
        }
        state.setProperty('/isBusy', false)
        operation.destroy()
      }

      const handlers = {
        onTake: () => take('refuse'),
        onTakeRest: () => take('leave_out'),
        onTakeAgain: () => take('again'),
        onClose: () => dialog.close(),
      }
      const dialog = await openFragment(api, 'HandOver', { taking: state }, handlers)
    }

    return {
      open(_context, selected) {
        return openDialog(this, selected)
      },
    }
  },
)
