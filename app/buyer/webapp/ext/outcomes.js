// What became of decisions: told in a sentence or two, and each refusal in a list.
sap.ui.define(
  [
    'sap/m/Button',
    'sap/m/Dialog',
    'sap/m/List',
    'sap/m/MessageToast',
    'sap/m/StandardListItem',
    'sap/m/Text',
    'sap/m/VBox',
    'sap/ui/thirdparty/jquery',
    './sums',
  ],
  (Button, Dialog, List, MessageToast, StandardListItem, Text, VBox, jQuery, sums) => {
    const TOLD_MS = 8_000
    const SECOND = 'awaiting_second_approval'

    /** The same rows as they are now, those alone that were decided. */
    async function readDecided(service, rows) {
      if (!rows.length) return []
      const filter = `ID in (${rows.map(({ ID }) => ID).join()})`
      const query = `$filter=${encodeURIComponent(filter)}&$select=ID,status,value,currency&$top=${rows.length}`
      return (await jQuery.ajax(`${service}Proposals?${query}`, { dataType: 'json' })).value
    }

    /** `3 of 50 orders approved, 1,234 EUR. 1 order waiting for a second approval, 900.00 EUR.` */
    function sentenceOf(bundle, name, decided, all) {
      const isSecond = ({ status }) => name === 'approve' && status === SECOND
      const [waiting, done] = [decided.filter(isSecond), decided.filter((row) => !isSecond(row))]
      const orders = ({ length }) =>
        length < all
          ? bundle.getText('sumPart', [sums.whole(length), sums.whole(all)])
          : bundle.getText(length === 1 ? 'sumOrder' : 'sumOrders', [sums.whole(length)])
      const sentence = (key, rows) => {
        const money = name === 'approve' ? sums.moneyOf(rows) : ''
        return bundle.getText(key, [orders(rows), money && `, ${money}`])
      }
      return [
        ...(done.length || !waiting.length ? [sentence(`many-${name}-done`, done)] : []),
        ...(waiting.length ? [sentence('many-second', waiting)] : []),
      ].join(' ')
    }

    function showRefused(bundle, told, refused) {
      const refusals = new List({ showSeparators: 'Inner' })
      // Where a whole call failed they all say the same.
      for (const message of new Set(refused.map((each) => each.message)))
        refusals.addItem(new StandardListItem({ title: message, wrapping: true }))
      const leave = new Button({ text: bundle.getText('many-close'), press: () => dialog.close() })
      const dialog = new Dialog({
        ...{ title: bundle.getText('many-result'), state: 'Warning', contentWidth: '32rem' },
        content: new VBox({ renderType: 'Bare', items: [new Text({ text: told }), refusals] }),
        ...{ endButton: leave, initialFocus: leave, afterClose: () => dialog.destroy() },
      })
      dialog.addStyleClass('sapUiContentPadding').open()
    }

    return {
      /** @param rows those that were sent; `all`: how many were to be */
      async sentence(bundle, service, { name, rows, refused, all = rows.length }) {
        const not = new Set(refused.map(({ ID }) => ID))
        const sent = rows.filter(({ ID }) => !not.has(ID))
        const decided = await readDecided(service, sent).catch(() => sent)
        return sentenceOf(bundle, name, decided, all)
      },

      tell(bundle, told, refused) {
        if (refused.length) showRefused(bundle, told, refused)
        else MessageToast.show(told, { duration: TOLD_MS, width: '25rem' })
      },
    }
  },
)
