// How many orders, units and how much money rows come to, as people read it.
sap.ui.define(
  ['sap/ui/core/format/NumberFormat', './money', './quantity'],
  (NumberFormat, { money }, quantity) => {
    const whole = (value) =>
      NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

    /** By currency, e.g. `1,234 EUR + 5.00 USD`; empty where no value is known. */
    function moneyOf(rows) {
      const sums = new Map()
      for (const { value, currency } of rows)
        if (value != null) sums.set(currency ?? '', (sums.get(currency ?? '') ?? 0) + Number(value))
      return [...sums].map(([currency, sum]) => money(sum, currency)).join(' + ')
    }

    /** What was typed counts, where it is a quantity. */
    const unitsOf = ({ ID, quantity: proposed }) => Number(quantity.of(ID)) || Number(proposed)

    return {
      whole,
      moneyOf,
      /** `3 orders · 48 units · 1,234 EUR` */
      textOf(bundle, rows) {
        const units = rows.reduce((sum, row) => sum + unitsOf(row), 0)
        const orders = bundle.getText(rows.length === 1 ? 'sumOrder' : 'sumOrders', [
          whole(rows.length),
        ])
        return [orders, bundle.getText('sumUnits', [whole(units)]), moneyOf(rows)]
          .filter(Boolean)
          .join(' · ')
      },
    }
  },
)
