// What the simulation says, by what the service answers.
sap.ui.define(
  ['sap/ui/core/format/NumberFormat', './budgetNumbers', './money'],
  (NumberFormat, { whole }, { money }) => {
    const TARGETS = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99]
    const EMPTY = {
      ...{ tiles: [], curve: [], groups: [], targets: [], chart: null, note: '', error: '' },
      ...{
        budgetState: 'None',
        budgetLabel: '',
        maySet: false,
        hasTarget: false,
        hasSpread: false,
      },
      ...{ summary: '', groupsTitle: '', byText: '', askedStock: '', askedService: '' },
    }
    const BY = { abc: 'simByAbc', supplier: 'simBySupplier' }
    const MORE_BY = { group: 'simByGroup', location: 'simByLocation' }

    const decimal = (value) =>
      NumberFormat.getFloatInstance({ minFractionDigits: 1, maxFractionDigits: 1 }).format(value)
    const percent = (value) => (value === null ? '–' : `${decimal(Number(value))} %`)
    const round = (value, currency) =>
      `${NumberFormat.getFloatInstance({ maxFractionDigits: 0 }).format(Number(value))} ${currency}`
    const nameOf = (target) => `P${Math.round(target * 100)}`

    /** More or less than the rules of today. */
    function changeOf(bundle, point, today, currency) {
      const stock = Number(point.stockValue) - Number(today.stockValue)
      const service = Number(point.fillRate) - Number(today.fillRate)
      const signed = (value, text) => `${value < 0 ? '−' : '+'}${text}`
      return bundle.getText('simChange', [
        signed(stock, round(Math.abs(stock), currency)),
        signed(service, decimal(Math.abs(service))),
      ])
    }

    function tiles(bundle, found, limit) {
      const { today, rules, asked, changeDays, currency, onHandValue, budgetTarget } = found
      const { budgetPoint, budgetSpread } = found
      const tile = (label, point, note = '') => ({
        label,
        figure: round(point.stockValue, currency),
        service: bundle.getText('simServiceOf', [percent(point.fillRate)]),
        change: point === today ? '' : changeOf(bundle, point, today, currency),
        state: 'Information',
        note,
      })
      const days = `${changeDays > 0 ? '+' : '−'}${Math.abs(changeDays)}`
      const budget = limit ? money(limit, currency) : ''
      return [
        tile(
          bundle.getText('simToday'),
          today,
          bundle.getText('simNow', [round(onHandValue, currency)]),
        ),
        changeDays && tile(bundle.getText('simChangedDays', [days]), rules),
        asked && tile(bundle.getText('simAsked', [nameOf(asked.target)]), asked),
        budgetPoint &&
          tile(bundle.getText('simBudgetOne', [nameOf(budgetTarget)]), budgetPoint, budget),
        budgetSpread && tile(bundle.getText('simBudgetSpread'), budgetSpread, budget),
        limit &&
          !budgetPoint && {
            label: bundle.getText('simBudgetTooSmall'),
            ...{ figure: budget, service: bundle.getText('simBudgetLeast'), change: '', note: '' },
            state: 'None',
          },
      ].filter(Boolean)
    }

    function chartOf(bundle, found, limit) {
      const at = (point) => [Number(point.stockValue), Number(point.fillRate)]
      const mark = (key, point, text) => (point ? [{ key, at: at(point), text }] : [])
      const { today, rules, asked, curve, changeDays, currency, budgetSpread } = found
      return {
        currency,
        budget: limit ?? null,
        curveText: bundle.getText('simCurve'),
        budgetText: bundle.getText('simBudgetLine'),
        points: curve.map((point) => ({ at: at(point), text: nameOf(point.target) })),
        marks: [
          ...mark('today', today, bundle.getText('simToday')),
          ...(changeDays ? mark('rules', rules, bundle.getText('simMarkRules')) : []),
          ...mark('asked', asked, bundle.getText('simMarkAsked')),
          ...mark('spread', budgetSpread, bundle.getText('simBudgetSpread')),
        ],
        summary: bundle.getText('simSummary', [
          round(curve[0]?.stockValue ?? 0, currency),
          percent(curve[0]?.fillRate ?? null),
          round(curve.at(-1)?.stockValue ?? 0, currency),
          percent(curve.at(-1)?.fillRate ?? null),
        ]),
      }
    }

    function noteOf(bundle, { pairs, simulated, withoutCost, withoutData, rules, currency }) {
      const counted =
        simulated < pairs
          ? bundle.getText('simSample', [
              ...[whole(simulated), whole(pairs), round(rules.stockError, currency)],
            ])
          : bundle.getText('simAll', [whole(pairs)])
      const left = [
        withoutCost && bundle.getText('simWithoutCost', [whole(withoutCost)]),
        withoutData && bundle.getText('simWithoutData', [whole(withoutData)]),
      ]
      return [bundle.getText('simLongRun'), counted, ...left].filter(Boolean).join(' ')
    }

    const groupOf = (currency) => (group) => {
      const { rules, asked, spread, target } = group
      const stock = (point) => (point ? round(point.stockValue, currency) : '')
      const service = (point) => (point ? percent(point.fillRate) : '')
      return {
        text: group.text,
        pairsText: whole(group.pairs),
        ...{ rulesStock: stock(rules), rulesService: service(rules) },
        ...{ askedStock: stock(asked), askedService: service(asked) },
        spreadTarget: target === null ? '' : nameOf(target),
        ...{ spreadStock: stock(spread), spreadService: service(spread) },
      }
    }

    return {
      EMPTY,

      targets: (bundle) => [
        { key: '', text: bundle.getText('simAsRuled') },
        ...TARGETS.map((target) => ({ key: String(target), text: nameOf(target) })),
      ],

      ofSimulation(bundle, found, { limit, by }) {
        const { currency, asked, curve, groups, maySet } = found
        const byText = bundle.getText({ ...BY, ...MORE_BY }[by])
        const wanted = asked ? nameOf(asked.target) : ''
        const shown = tiles(bundle, found, limit)
        return {
          maySet,
          tiles: shown,
          summary: shown.map(({ label, figure }) => `${label}: ${figure}`).join(' · '),
          chart: chartOf(bundle, found, limit),
          note: noteOf(bundle, found),
          budgetLabel: bundle.getText('simBudget', [currency]),
          ...{ hasTarget: Boolean(asked), hasSpread: groups.some(({ spread }) => spread) },
          ...{ byText, groupsTitle: bundle.getText('simGroups', [byText]) },
          askedStock: bundle.getText('simAskedStock', [wanted]),
          askedService: bundle.getText('simAskedService', [wanted]),
          groups: groups.map(groupOf(currency)),
          curve: curve.map((point) => ({
            name: nameOf(point.target),
            stock: round(point.stockValue, currency),
            service: percent(point.fillRate),
            chance: percent(point.stockoutChance),
            short: round(point.shortPerYear, currency),
            isAsked: point.target === asked?.target,
          })),
        }
      },
    }
  },
)
