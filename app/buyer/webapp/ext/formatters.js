sap.ui.define(
  ['sap/ui/core/format/DateFormat', 'sap/ui/core/format/NumberFormat', './money'],
  (DateFormat, NumberFormat, { money }) => {
    const whole = (value) =>
      NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

    return {
      /** Two or three numbers as one range. */
      range(...values) {
        if (values.some((value) => value === null || value === undefined)) return ''
        const format = NumberFormat.getFloatInstance({ maxFractionDigits: 0 })
        return values.map((value) => format.format(value)).join(' – ')
      },

      money,

      /** `Nov 2026` of `2026-11`. */
      month: (month) =>
        DateFormat.getDateInstance({ pattern: 'LLL yyyy', UTC: true }).format(
          new Date(`${month}-01`),
        ),

      /** Whether the page is one of an order, and not of an item that none is proposed for. */
      isOfOrder() {
        return !!this.getBindingContext()?.getPath().startsWith('/Proposals(')
      },

      /** Units, or a text where there are none. */
      unitsOr(value, text) {
        if (value === null || value === undefined) return text
        return NumberFormat.getFloatInstance({ maxFractionDigits: 1 }).format(value)
      },

      /** What a row's small picture shows; null while nothing is forecast. */
      figures(p10, p50, p90, onHand, onOrder) {
        if (p50 === null || p50 === undefined) return null
        const values = { p10, p50, p90, onHand, onOrder }
        return Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, Number(value ?? 0)]),
        )
      },

      /** The same in words. */
      stockText: (text, onHand, onOrder, forecast, days) =>
        [whole(onHand ?? 0), whole(onOrder ?? 0), forecast ?? '–', days ?? '–'].reduce(
          (written, value, at) => written?.replace(`{${at}}`, () => value),
          text,
        ),

      /** A part as `40 of 120`, the whole as `120`. */
      partOf: (part, all, text) =>
        part === all
          ? whole(all)
          : text.replace('{0}', () => whole(part)).replace('{1}', () => whole(all)),
    }
  },
)
