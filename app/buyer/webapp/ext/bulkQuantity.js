// Which quantity a row would have: in whole lots, not below its minimum, and not above ten times what was calculated.
sap.ui.define(['./quantity'], (quantity) => {
  const MOST_TIMES = 10

  const now = ({ ID, quantity: proposed }) => Number(quantity.of(ID)) || Number(proposed)

  const HOW = {
    percent: (row, { percent }) => now(row) * (1 + percent / 100),
    pallet: (row, { pallet }) => Math.ceil(now(row) / pallet) * pallet,
    /** By the median of demand, with what is there and on order. */
    days: ({ p50, horizonDays, onHand, onOrder }, { days }) =>
      (Number(p50) / Number(horizonDays)) * days - Math.max(0, Number(onHand)) - Number(onOrder),
  }

  const isSound = ({ how, percent, pallet, days }) =>
    ({ percent: percent > -100, pallet: pallet > 0, days: days > 0 })[how]

  /** @param wanted units, with fractions */
  function orderable(wanted, { moq, lotSize, calculatedQuantity }, round) {
    const lot = Math.max(1, Number(lotSize))
    const lots = (units, how) => how(Number((units / lot).toFixed(6))) * lot
    const least = lots(Math.max(Number(moq), 1), Math.ceil)
    const most = lots(MOST_TIMES * Number(calculatedQuantity), Math.floor)
    return Math.min(Math.max(lots(wanted, round), least), Math.max(most, least))
  }

  return {
    /** @returns the quantities that are others by ID; null where what was asked for is no number that makes sense */
    of(rows, asked) {
      if (!isSound(asked)) return null
      const round = asked.how === 'percent' && asked.percent < 0 ? Math.floor : Math.ceil
      const changes = new Map()
      for (const row of rows) {
        const wanted = HOW[asked.how](row, asked)
        // What there is suffices for these days, or demand is not known.
        if (!Number.isFinite(wanted) || wanted <= 0) continue
        const units = orderable(wanted, row, round)
        if (units !== now(row)) changes.set(row.ID, units)
      }
      return changes
    },

    /** The row as it would be, for sums. */
    withQuantity(row, units = now(row)) {
      const { unitCost, value } = row
      const worth =
        unitCost === null || unitCost === undefined ? value : (units * unitCost).toFixed(2)
      return { ...row, ID: null, quantity: units, value: worth }
    },
  }
})
