// Money, as all of this app writes it: from 1,000 on without cents. Prices, which have four decimals, keep theirs.
sap.ui.define(
  ['sap/ui/core/format/NumberFormat', 'sap/ui/model/type/Currency'],
  (NumberFormat, Currency) => {
    const LARGE = 1_000
    const DECIMALS = 2
    const isLarge = (value) => Math.abs(Number(value)) >= LARGE

    /** `24.80`, `1,005` */
    function amount(value) {
      const places = isLarge(value) ? 0 : DECIMALS
      const options = { minFractionDigits: places, maxFractionDigits: places }
      return NumberFormat.getFloatInstance({ ...options, groupingEnabled: true }).format(
        Number(value),
      )
    }

    return {
      amount,

      /** `24.80 EUR`, `1,005 EUR`; empty where it is not known. The space does not break. */
      money(value, currency) {
        if (value === null || value === undefined) return ''
        return `${amount(value)}\u00a0${currency ?? ''}`.trim()
      },

      /** The amounts that Fiori elements and the views bind are written so too; nobody types one here. */
      mend() {
        const { formatValue } = Currency.prototype
        Currency.prototype.formatValue = function (values, ...type) {
          const { showNumber, ...given } = this.oFormatOptions
          // No room is kept for decimals that are not there: the currency follows at once.
          const options = { ...given, decimalPadding: undefined }
          const isAmount = Array.isArray(values) && Number.isFinite(Number(values[0] ?? NaN))
          if (!isAmount || showNumber === false) return formatValue.call(this, values, ...type)
          if (isLarge(values[0]) && !(this.iScale > DECIMALS))
            Object.assign(options, { decimals: 0, preserveDecimals: false })
          return NumberFormat.getCurrencyInstance(options).format(values)
        }
      },
    }
  },
)
