// Another quantity for all rows that are selected: so much more, whole pallets, or enough for so many days. It is typed for each,
// and holds once the row is approved.
sap.ui.define(
  [
    'sap/m/MessageToast',
    'sap/ui/core/Element',
    'sap/ui/model/json/JSONModel',
    './bulkQuantity',
    './everything',
    './openFragment',
    './quantity',
    './sums',
  ],
  (MessageToast, Element, JSONModel, bulkQuantity, everything, openFragment, quantity, sums) => {
    const isField = (control) => control.isA('restock.buyer.ext.QuantityInput')

    /** Rows that are shown get their number and their value; the others when they are read. */
    function showTyped(IDs) {
      const of = (context) => IDs.includes(context?.getProperty('ID'))
      const inputs = Element.registry.filter(
        (each) => isField(each) && of(each.getBindingContext()),
      )
      quantity.followRead(inputs.map((input) => input.getBindingContext()))
      for (const input of inputs) {
        input.getBinding('value')?.checkUpdate(true)
        input.setValueState('None')
      }
    }

    async function openDialog(api, selected) {
      const rows = await everything.chosen(api, selected, 'canApprove')
      if (!rows.length) return
      const bundle = await api.getModel('i18n').getResourceBundle()
      const lots = new Set(rows.map(({ lotSize }) => Number(lotSize)))
      const state = new JSONModel({
        ...{ how: 'percent', percent: 10, pallet: lots.size === 1 ? [...lots][0] : 1, days: 30 },
        ...{ before: sums.textOf(bundle, rows), after: '', isValid: true },
      })
      const wanted = () => bulkQuantity.of(rows, state.getData())
      const handlers = {
        onChange() {
          const changes = wanted()
          state.setProperty('/isValid', changes !== null)
          if (!changes) return state.setProperty('/after', '')
          const after = rows.map((row) => bulkQuantity.withQuantity(row, changes.get(row.ID)))
          state.setProperty('/after', sums.textOf(bundle, after))
        },
        onApply() {
          const changes = wanted()
          for (const row of rows)
            if (changes.has(row.ID))
              quantity.keep(row.ID, String(changes.get(row.ID)), row.quantity)
          showTyped(rows.map(({ ID }) => ID))
          const all = rows.length
          const text = [sums.whole(changes.size), sums.whole(all)]
          MessageToast.show(bundle.getText(changes.size < all ? 'bulkDonePart' : 'bulkDone', text))
          dialog.close()
        },
        onClose: () => dialog.close(),
      }
      handlers.onChange()
      const dialog = await openFragment(api, 'BulkEdit', { bulk: state }, handlers)
    }

    return {
      showTyped,
      open(_context, selected) {
        return openDialog(this, selected).catch(({ message }) => message)
      },
    }
  },
)
