// What the page of a supplier's scorecard says, by what the service answers.
sap.ui.define(
  ['sap/ui/core/format/NumberFormat', './budgetNumbers', './formatters', './money'],
  (NumberFormat, { whole }, { month: monthName }, { money }) => {
    const EMPTY = { title: '', hint: '', error: '', none: '', order: '', tiles: [], months: [] }

    const percent = (share) =>
      share === null
        ? '–'
        : `${NumberFormat.getFloatInstance({ maxFractionDigits: 0 }).format(share * 100)} %`
    const signed = (share) =>
      share === null ? '–' : `${share > 0 ? '+' : ''}${days(share * 100)} %`
    const days = (value) =>
      NumberFormat.getFloatInstance({ minFractionDigits: 1, maxFractionDigits: 1 }).format(value)

    function tilesOf(bundle, card) {
      const text = (key, ...values) => bundle.getText(key, values)
      const { peersOnTime, daysLate, mostDaysLate, latenessStock } = card
      const tile = (key, figure, note) => ({ label: text(key), figure, note })
      return [
        tile(
          'scorecardOnTime',
          percent(card.onTime),
          peersOnTime === null
            ? text('scorecardNoPeers')
            : text('scorecardPeers', percent(peersOnTime)),
        ),
        tile('scorecardInFull', percent(card.inFull), ''),
        tile(
          'scorecardBoth',
          percent(card.onTimeInFull),
          text('scorecardLines', whole(card.lines), whole(card.outstanding)),
        ),
        tile(
          'scorecardDaysLate',
          daysLate === null ? '–' : days(daysLate),
          daysLate === null
            ? text('scorecardNeverLate')
            : text('scorecardMost', whole(mostDaysLate)),
        ),
        ...(card.priceChange === null
          ? []
          : [tile('scorecardPrices', signed(card.priceChange), text('scorecardPricesNote'))]),
        ...latenessStock.map(({ currency, value }) =>
          tile('scorecardStock', money(value, currency), text('scorecardStockNote')),
        ),
      ]
    }

    /** The newest first; one is good where it is no worse than the others are in their year. */
    const monthsOf = ({ months, peersOnTime }) =>
      months.toReversed().map((month) => ({
        text: monthName(month.month),
        lines: whole(month.lines),
        hasLines: month.lines > 0,
        onTime: Math.round((month.onTime ?? 0) * 100),
        onTimeText: percent(month.onTime),
        state: peersOnTime === null || month.onTime >= peersOnTime ? 'Success' : 'Warning',
        early: percent(month.early),
        late: percent(month.late),
        inFull: percent(month.inFull),
        daysLate: month.daysLate === null ? '–' : days(month.daysLate),
        prices: signed(month.priceChange),
      }))

    return {
      EMPTY,

      /** The address names no supplier of a source. */
      ofNone: (bundle) => ({
        ...EMPTY,
        title: bundle.getText('scorecardLink'),
        none: bundle.getText('scorecardWhose'),
      }),

      ofScorecard(bundle, card) {
        const { source, supplier, supplierName, lines } = card
        const name = supplierName ? `${supplier} (${supplierName})` : supplier
        return {
          ...EMPTY,
          title: bundle.getText('scorecardTitle', [name]),
          hint: bundle.getText('scorecardHint'),
          none: lines ? '' : bundle.getText('scorecardNone'),
          order: `#/Suppliers?source=${source}&supplier=${encodeURIComponent(supplier)}`,
          tiles: lines ? tilesOf(bundle, card) : [],
          months: monthsOf(card),
          hasPrices: card.months.some(({ priceChange }) => priceChange !== null),
        }
      },
    }
  },
)
