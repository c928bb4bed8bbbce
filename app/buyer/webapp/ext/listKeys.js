// The list by keyboard: single letters while a row has the focus.
sap.ui.define(
  ['sap/m/MessageBox', './decide', './held', './rowKeys'],
  (MessageBox, decide, held, rowKeys) => {
    const ASKED = { a: 'approve', r: 'decline', s: 'snooze', c: 'cancel' }

    const isOfProposal = (context) => context?.getPath().startsWith('/Proposals(')

    async function showKeys(api) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      MessageBox.information(bundle.getText('listKeysText'), { title: bundle.getText('orderKeys') })
    }

    /** Of the selected rows where there are some, else of the one that has the focus; the next one gets the focus. */
    async function decideOn(api, key, row) {
      const selected = api.getSelectedContexts().filter(isOfProposal)
      const context = row.getBindingContext()
      if (key === 'a' && !selected.length) {
        if (decide.approveAtOnce(api, context)) rowKeys.focusAfter(row)
        return
      }
      await decide[ASKED[key]].call(api, null, selected.length ? selected : [context])
      rowKeys.focusAfter(row)
    }

    function onAny(api, key) {
      if (key === '?') showKeys(api)
      else if (key === 'u') held.undo()
      else return false
      return true
    }

    function onRow(api, key, row) {
      if (onAny(api, key)) return true
      if (!isOfProposal(row.getBindingContext())) return false
      if (ASKED[key]) decideOn(api, key, row)
      else if (key === 'n') rowKeys.focusAfter(row)
      else if (key === 'q' || key === 'f2') rowKeys.focusField(row)
      else return false
      return true
    }

    return {
      show() {
        return showKeys(this)
      },
      listen: (view, api) =>
        rowKeys.listen(view, {
          onRow: (key, row) => onRow(api, key, row),
          onAny: (key) => onAny(api, key),
        }),
    }
  },
)
