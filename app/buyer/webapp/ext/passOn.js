// Lines of a supplier's order that a person may not approve, handed over to somebody who may: they stay open until that one decides.
sap.ui.define(
  ['sap/m/MessageToast', 'sap/ui/model/json/JSONModel', './openFragment', './orderTexts'],
  (MessageToast, JSONModel, openFragment, { whole }) => ({
    /** @param page of the order */
    async open(page) {
      const { bundle } = page
      const refused = page.marked('order').filter(({ refusal }) => refusal)
      const able = page.state.getProperty('/approvers').split(', ')
      const count = whole(refused.length)
      const state = new JSONModel({
        ...{ able: able.map((user) => ({ user })), to: able[0], comment: '' },
        ...{ text: bundle.getText('orderPassText', [count]), isBusy: false, error: '' },
      })

      async function passOn() {
        const { to, comment } = state.getData()
        state.setProperty('/isBusy', true)
        try {
          const proposals = refused.map(({ ID }) => ID).join(',')
          await page.call('passOn', { proposals, to, comment: comment.trim() || null })
          dialog.close()
          page.onFits()
          MessageToast.show(bundle.getText('orderPassed', [count, to]))
        } catch (error) {
          state.setProperty('/error', error.message)
        }
        state.setProperty('/isBusy', false)
      }

      const handlers = { onPassOn: passOn, onClose: () => dialog.close() }
      const dialog = await openFragment(page.getView(), 'PassOn', { passing: state }, handlers)
    },
  }),
)
