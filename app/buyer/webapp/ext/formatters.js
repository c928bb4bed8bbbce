sap.ui.define(['sap/ui/core/format/NumberFormat'], (NumberFormat) => {
  const whole = (value) => NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

  return {
    /** Two or three numbers as one range. */
    range(...values) {
      if (values.some((value) => value === null || value === undefined)) return ''
      const format = NumberFormat.getFloatInstance({ maxFractionDigits: 0 })
      return values.map((value) => format.format(value)).join(' – ')
    },

    /** Units, or a text where there are none. */
    unitsOr(value, text) {
      if (value === null || value === undefined) return text
      return NumberFormat.getFloatInstance({ maxFractionDigits: 1 }).format(value)
    },

    /** A part as `40 of 120`, the whole as `120`. */
    partOf: (part, all, text) =>
      part === all
        ? whole(all)
        : text.replace('{0}', () => whole(part)).replace('{1}', () => whole(all)),
  }
})
