// What the page of months says, by what the service answers.
sap.ui.define(
  [
    ...['sap/ui/core/format/NumberFormat', 'sap/ui/core/format/DateFormat'],
    ...['./budgetNumbers', './formatters', './money'],
  ],
  (NumberFormat, DateFormat, { whole }, { month: monthName }, { money }) => {
    const EMPTY = { error: '', none: false, months: [], decisions: [] }

    const percent = (share) =>
      share === null
        ? '–'
        : `${NumberFormat.getFloatInstance({ minFractionDigits: 1, maxFractionDigits: 1 }).format(share * 100)} %`

    const day = (text) =>
      DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(new Date(text))

    const LACKS = { not_measured: 'valueNotMeasured', too_few_days: 'valueTooFewDays' }
    const WHAT = { unchanged: 'valueUnchanged', edited: 'valueEdited', rejected: 'valueRejected' }

    return {
      EMPTY,

      ofMonths(bundle, months) {
        const text = (key, ...values) => bundle.getText(key, values)
        const isOne = new Set(months.map(({ source }) => source)).size < 2
        const named = ({ month, account }) =>
          isOne ? monthName(month) : `${monthName(month)}, ${account}`
        const beside = ({ planned, came }, write) =>
          text('valueBeside', planned === null ? '–' : write(planned), write(came))

        const counted = ({ lines: { proposed, approved, edited, rejected, ordered } }) =>
          text(
            'valueLinesOf',
            ...[proposed, approved, edited, rejected, ordered].map((each) => whole(each)),
          )

        const shown = (month) => {
          const { figures, lacks } = month
          const none = { stockouts: '–', stock: '–', carrying: '–', short: '–', fillRate: '–' }
          const head = { text: named(month), days: whole(month.days), lines: counted(month) }
          if (lacks) return [{ ...head, ...none, note: text(LACKS[lacks]) }]
          const { stockouts, withoutCost, money: amounts } = figures
          const note = [
            ...(month.firstDay.endsWith('-01') ? [] : [text('valueSince', day(month.firstDay))]),
            ...(withoutCost ? [text('valueWithoutCost', whole(withoutCost))] : []),
          ].join('; ')
          const shares = { stockouts: beside(stockouts, percent), note }
          if (!amounts.length) return [{ ...head, ...none, ...shares }]
          return amounts.map(({ currency, stockValue, fillRate, ...costs }, at) => {
            const write = (amount) => money(amount, currency)
            return {
              ...(at
                ? { text: '', days: '', lines: '', stockouts: '', note: '' }
                : { ...head, ...shares }),
              stock: beside(stockValue, write),
              carrying: beside(costs.carryingCost, write),
              short: beside(costs.shortageCost, write),
              fillRate: fillRate.came === null ? '–' : beside(fillRate, percent),
            }
          })
        }

        const decided = (month) =>
          month.decisions.map(({ what, person, reason, reasonText, worth, ...counts }) => ({
            text: named(month),
            person: person ?? text('valueOthers'),
            what: text(WHAT[what]),
            reason: reason ? (reasonText ?? reason) : '',
            lines: whole(counts.lines),
            evaluated: whole(counts.evaluated),
            tooRecent: whole(counts.tooRecent),
            worth: worth.map((each) => money(each.worth, each.currency)).join('; ') || '–',
            state: worth.every((each) => Number(each.worth) >= 0) ? 'None' : 'Warning',
          }))

        return {
          ...EMPTY,
          none: months.every(({ days, decisions }) => !days && !decisions.length),
          months: months.flatMap(shown),
          decisions: months.flatMap(decided),
        }
      },
    }
  },
)
