// What the page of today says, by what the service answers.
sap.ui.define(['sap/ui/core/format/DateFormat', './budgetNumbers'], (DateFormat, { whole }) => {
  const day = (text) =>
    DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(new Date(text))

  const listOf = (view) => `#/?view=${view}`

  function tiles(bundle, home) {
    const text = (key, ...values) => bundle.getText(key, values)
    const sum = (key, view, { lines, linesText, valueText, riskText }, state, help = '') => ({
      ...{ label: text(key), help: help && text(help) },
      figure: valueText || whole(lines),
      href: listOf(view),
      status: valueText ? linesText : '',
      state: lines ? state : 'None',
      note: lines && riskText ? text('homeWaiting', riskText) : '',
      noteHelp: text('waitingHelp'),
    })
    const counted = (key, view, count, note) => ({
      ...{ label: text(key), figure: whole(count), href: listOf(view) },
      ...{ status: '', state: 'None', note },
    })
    const figure = (key, view, { text: shown, note }) => ({
      ...{ label: text(key), figure: shown, href: listOf(view), status: '', state: 'None', note },
    })
    return [
      ...(home.mine ? [sum('homeMine', 'mine', home.mine, 'None')] : []),
      ...(home.team ? [sum('homeTeam', 'team', home.team, 'None')] : []),
      sum('homeDue', 'due', home.due, 'Warning'),
      sum('homeOut', 'out', home.out, 'Error', 'outHelp'),
      sum('homeStockout', 'stockout', home.stockout, 'Error', 'stockoutHelp'),
      sum('homeSecond', 'second', home.second, 'Information'),
      counted('homeExceptions', 'exceptions', home.exceptionsCount, text('homeExceptionsNote')),
      sum('homeOpen', 'open', home.open, 'None'),
      counted('homeBlocked', 'blocked', home.blocked, text('homeBlockedNote')),
      figure('homeStock', 'exceptions', home.stock),
      figure('homeReached', 'out', home.reached),
      figure('homeBias', 'overrides', home.bias),
      ageTile(bundle, home),
    ]
  }

  function ageTile(bundle, { dataAsOf, dataAgeDays, isDataStale, isAdmin }) {
    const age = dataAgeDays === 0 ? 'homeAgeToday' : dataAgeDays === 1 ? 'homeAgeDay' : 'homeAge'
    return {
      label: bundle.getText('homeData'),
      figure: dataAsOf ? day(dataAsOf) : '–',
      href: isAdmin ? '/apps/admin/index.html' : '',
      status: dataAsOf ? bundle.getText(age, [whole(dataAgeDays)]) : bundle.getText('homeNoData'),
      state: isDataStale ? 'Error' : 'None',
      note: '',
    }
  }

  function warningOf(bundle, { failingSources, isDataStale }) {
    const parts = [
      isDataStale && bundle.getText('homeStale'),
      failingSources > 0 && bundle.getText('homeFailing', [whole(failingSources)]),
    ]
    return parts.filter(Boolean).join(' ')
  }

  return {
    ofHome(bundle, home) {
      const { asOf, dueOrders, moreOrders, deadlines } = home
      const shown = dueOrders.length
      return {
        ...home,
        subtitle: day(asOf),
        warning: warningOf(bundle, home),
        tiles: tiles(bundle, home),
        dueTitle: moreOrders
          ? bundle.getText('homeDueBySupplierOf', [whole(shown), whole(shown + moreOrders)])
          : bundle.getText('homeDueBySupplier'),
        hasOrderDays: deadlines.some(({ nextOrderDay }) => nextOrderDay),
        deadlines: deadlines.map(({ nextOrderDay, orderDayAfter, ...deadline }) => ({
          ...deadline,
          daysText: nextOrderDay
            ? bundle.getText('homeOrderDays', [day(nextOrderDay), day(orderDayAfter)])
            : '',
        })),
      }
    },
  }
})
