// What the page of a supplier's order says, by its lines as they are marked.
sap.ui.define(
  ['sap/ui/core/format/DateFormat', './budgetNumbers', './money'],
  (DateFormat, { whole }, { amount, money }) => {
    const day = (text) =>
      DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(new Date(text))

    const counted = (bundle, count) =>
      bundle.getText(count === 1 ? 'budgetLine' : 'budgetLines', [whole(count)])

    const nameOf = ({ supplier, supplierName, location }) =>
      [supplierName ? `${supplier} (${supplierName})` : supplier, location]
        .filter(Boolean)
        .join(', ')

    /** The small lines as one row; shown singly where somebody wants it, or where there are no others. */
    function foldedOf(bundle, { lines, isUnfolded, currency }) {
      const small = lines.filter(({ isSmall }) => isSmall)
      if (!small.length) return { shown: lines, smallText: '', smallMark: '' }
      const sum = (name) => small.reduce((total, line) => total + Number(line[name] ?? 0), 0)
      const values = [money(sum('value'), currency), money(sum('valueAtRisk'), currency)]
      const [mark, ...others] = new Set(small.map((line) => line.mark))
      return {
        shown: isUnfolded ? lines : lines.filter(({ isSmall }) => !isSmall),
        smallText: bundle.getText('orderSmall', [counted(bundle, small.length), ...values]),
        smallMark: others.length ? 'mixed' : mark,
      }
    }

    function decideText(bundle, { order, rejected, snoozed, second, refused }) {
      if (!order.length && (rejected || snoozed))
        return bundle.getText(rejected ? 'reject' : 'snooze')
      if (second && second + refused === order.length) return bundle.getText('orderSend')
      return bundle.getText(second ? 'orderApproveAndSend' : 'approve')
    }

    /** Once for all lines that this person may not approve: why, and who may. */
    function refusalText(text, { refused, refusal, approvers }) {
      const who = approvers ? text('orderApprovers', approvers) : text('orderNoApprover')
      return `${text('orderRefused', whole(refused), refusal)} ${who}`
    }

    return {
      whole,

      /** An order in the field that chooses one. */
      choice: (bundle, order, at) => ({
        ...order,
        key: String(at),
        text: nameOf(order),
        open: `${money(order.dueValue, order.currency)} · ${counted(bundle, order.dueLines)}`,
      }),

      ofOrder(bundle, data) {
        const { lines, value, units, valueAtRisk, leftAtRisk, currency, total, mayDecide } = data
        const text = (key, ...values) => bundle.getText(key, values)
        const by = (mark) => lines.filter((line) => line.mark === mark)
        const order = by('order')
        const [rejected, snoozed] = [by('reject').length, by('snooze').length]
        const isNamed = data.supplier && data.source !== null
        const hasFault = order.some(({ fault }) => fault)
        const counts = [
          [order.length, 'orderToOrder'],
          [rejected, 'orderToReject'],
          [snoozed, 'orderToSnooze'],
        ].flatMap(([count, key]) => (count ? [text(key, whole(count))] : []))
        const worth = order.length ? [`${money(value ?? 0, currency)}`] : []
        const summary = [...counts, ...worth].join(' · ') || text('orderNothing')
        const { orderBy, nextOrderDay, orderDayAfter, second = 0, refused = 0, budgetLeft } = data
        return {
          ...foldedOf(bundle, data),
          budgetLabel: text('orderBudget', currency ?? ''),
          budgetText:
            budgetLeft == null ? '' : text('orderBudgetLeft', money(budgetLeft, currency)),
          title: data.supplier ? text('orderTitle', nameOf(data)) : text('orderNoTitle'),
          subtitle: text('orderHint'),
          scorecard: isNamed
            ? `#/Scorecard?source=${data.source}&supplier=${encodeURIComponent(data.supplier)}`
            : '',
          linesTitle:
            total > lines.length
              ? text('orderLinesOf', whole(lines.length), whole(total))
              : counted(bundle, lines.length),
          valueText: amount(value ?? 0),
          linesText: text(
            'orderLinesUnits',
            whole(order.length),
            whole(lines.length),
            whole(units ?? 0),
          ),
          riskText: amount(valueAtRisk ?? 0),
          leftText: text('orderLeft', money(leftAtRisk ?? 0, currency)),
          deadlineText: orderBy ? day(orderBy) : '–',
          isLate: lines.some(({ isDueToday }) => isDueToday),
          daysText: nextOrderDay ? text('orderDays', day(nextOrderDay), day(orderDayAfter)) : '',
          hasBreaks: lines.some(({ breakText }) => breakText),
          note: refused ? refusalText(text, data) : '',
          ...{ summary, rejected, snoozed },
          decideText: decideText(bundle, { order, rejected, snoozed, second, refused }),
          decideSummary: second
            ? `${summary}\n${text('orderSecondCount', whole(second))}`
            : summary,
          canDecide:
            Boolean(mayDecide) && !hasFault && !refused && order.length + rejected + snoozed > 0,
        }
      },
    }
  },
)
