sap.ui.define(['sap/ui/core/format/NumberFormat'], (NumberFormat) => {
  return {
    /** Two or three numbers as one range. */
    range(...values) {
      if (values.some((value) => value === null || value === undefined)) return ''
      const format = NumberFormat.getFloatInstance({ maxFractionDigits: 0 })
      return values.map((value) => format.format(value)).join(' – ')
    },
  }
})
