// What the chart of a proposal says in words: a week's figures, and what promotions did.
sap.ui.define(
  ['sap/ui/core/format/DateFormat', 'sap/ui/core/format/NumberFormat', './plot'],
  (DateFormat, NumberFormat, { dayOf, dateOf }) => {
    /** Promotions, and days that the forecast does not take as they were, in the order of their marks from the bar upwards. */
    const MARKS = ['promoted', 'outOfStock', 'closed', 'outliers', 'returns']

    const whole = (value) => NumberFormat.getFloatInstance({ maxFractionDigits: 0 }).format(value)
    const shown = (value) => whole(Math.max(0, value))
    const range = (from, to) => `${shown(from)} – ${shown(to)}`
    const day = ({ date }) =>
      DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(dateOf(dayOf(date)))
    const mean = (weeks) => weeks.reduce((sum, { demand }) => sum + demand, 0) / weeks.length

    function pastWeek(text, week, demand) {
      const part = week.days < 7 ? [text('chartWeekPart', [week.days])] : []
      return [text('chartWeekPast', [day(week), demand]), ...part]
    }

    function weekAhead(text, week, demand) {
      const { demandP10, demandP90, arriving, stockP10, stockP50, stockP90, stockWithOrder } = week
      const stock = [shown(stockP50 ?? 0), range(stockP10, stockP90), shown(stockWithOrder)]
      const stockKey = stockWithOrder === stockP50 ? 'chartWeekStockAlone' : 'chartWeekStock'
      return [
        text('chartWeekAhead', [day(week), demand, range(demandP10, demandP90)]),
        ...(arriving ? [text('chartWeekArriving', [whole(arriving)])] : []),
        ...(stockP50 === null ? [] : [text(stockKey, stock)]),
      ]
    }

    return {
      MARKS,

      ofWeek(bundle, week, unit) {
        const text = (key, values) => bundle.getText(key, values)
        const demand = [shown(week.demand ?? 0), unit].filter(Boolean).join(' ')
        const marks = MARKS.filter((kind) => week[kind] > 0)
        return [
          ...(week.isForecast ? weekAhead : pastWeek)(text, week, demand),
          ...marks.map((kind) => `${text(`chart-${kind}`)}: ${week[kind]}`),
        ].join(' · ')
      },

      /** The chance and the size of a promotion, where some ran in the past and none is planned; else nothing. */
      ofPromotions(bundle, weeks) {
        const past = weeks.filter(({ isForecast, days }) => !isForecast && days === 7)
        const ran = past.filter(({ promoted }) => promoted > 0)
        const others = past.filter(({ promoted }) => !promoted)
        const isPlanned = weeks.some(({ isForecast, promoted }) => isForecast && promoted > 0)
        if (ran.length < 2 || !others.length || isPlanned) return ''
        const counts = [ran.length, past.length, mean(ran), mean(others)].map(whole)
        return bundle.getText('chartPromotions', counts)
      },
    }
  },
)
