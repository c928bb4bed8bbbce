// The list by keyboard: single letters while a row has the focus.
sap.ui.define(
  ['sap/m/MessageBox', './decide', './held', './rowKeys'],
  (MessageBox, decide, held, rowKeys) => {
    const ASKED = { r: 'decline', s: 'snooze', c: 'cancel' }

    async function showKeys(api) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      MessageBox.information(bundle.getText('listKeysText'), { title: bundle.getText('orderKeys') })
    }

    /** Of the selected rows where there are some, else of the one that has the focus; the next one gets the focus. */
    async function onDecision(api, key, row) {
      const context = row.getBindingContext()
      const selected = api
        .getSelectedContexts()
        .filter((each) => each.getPath().startsWith('/Proposals('))
      if (key === 'a' && !selected.length) {
        if (await decide.approveAtOnce(api, context)) rowKeys.focusAfter(row)
        return
      }
      const name = key === 'a' ? 'approve' : ASKED[key]
      await decide[name].call(api, null, selected.length ? selected : [context])
      rowKeys.focusAfter(row)
    }

    function onRow(api, key, row) {
      const isProposal = row.getBindingContext()?.getPath().startsWith('/Proposals(')
      if (key === '?') showKeys(api)
      else if (key === 'u') held.undo()
      else if (!isProposal) return false
      else if (key === 'a' || ASKED[key]) onDecision(api, key, row)
      else if (key === 'n') rowKeys.focusAfter(row)
      else if (key === 'q' || key === 'f2') rowKeys.focusField(row)
      else return false
      return true
    }

    return {
      show() {
        return showKeys(this)
      },
      listen: (view, api) => rowKeys.listen(view, { onRow: (key, row) => onRow(api, key, row) }),
    }
  },
)
