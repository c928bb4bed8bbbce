// Numbers of a budget: as they are typed and written, and their sums.
sap.ui.define(['sap/ui/core/format/NumberFormat'], (NumberFormat) => {
  const amounts = () =>
    NumberFormat.getFloatInstance({ strictGroupingValidation: true, maxFractionDigits: 2 })
  const wholes = () =>
    NumberFormat.getIntegerInstance({ groupingEnabled: true, strictGroupingValidation: true })

  /** Whole hundredths, so that sums of money are exact. */
  const cents = (amount) => Math.round(Number(amount ?? 0) * 100)

  return {
    amounts,
    wholes,

    /** null for an empty text, NaN for one that is no number above 0 */
    limitOf(text, format) {
      if (!text.trim()) return null
      const value = format.parse(text.trim())
      return value > 0 ? value : NaN
    },

    whole: (value) => wholes().format(value),

    /** @param rows lines that the budget pays; those not selected are left out */
    totals(rows, { limits: [budget, units], notTaken }) {
      const sum = { lines: 0, units: 0, value: 0, risk: 0 }
      const out = {
        ...{ lines: notTaken.lines, units: 0 },
        ...{ value: cents(notTaken.value), risk: cents(notTaken.valueAtRisk) },
      }
      const taken = rows.map((row) => {
        const to = row.isSelected ? sum : out
        to.lines++
        to.units += row.quantity
        to.value += cents(row.value)
        to.risk += cents(row.valueAtRisk)
        return { ...row, sum: row.isSelected ? sum.value / 100 : null }
      })
      const inMoney = (total) => ({ ...total, value: total.value / 100, risk: total.risk / 100 })
      const left = {
        money: budget === null ? null : (cents(budget) - sum.value) / 100,
        units: units === null ? null : units - sum.units,
      }
      return { taken, sum: inMoney(sum), out: inMoney(out), left }
    },
  }
})
