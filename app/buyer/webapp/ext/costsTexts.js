// What the page of costs says, by what the service answers.
sap.ui.define(
  ['sap/ui/core/format/NumberFormat', 'sap/ui/core/format/DateFormat', './budgetNumbers'],
  (NumberFormat, DateFormat, { whole }) => {
    const NAMES = [
      ...['marginPercent', 'latePercent', 'shortPerUnit', 'weeks'],
      ...['storagePercent', 'interestPercent', 'writeOffPercent', 'writeOffAfterDays'],
    ]
    const EMPTY = {
      ...{ tiles: [], steps: [], ratios: [], groups: [], fields: [], sentence: '', question: '' },
      ...{
        unmetDemand: '',
        skuGroup: '',
        abcClass: '',
        by: 'abc',
        maySet: false,
        error: '',
        done: '',
      },
      pastTitle: '',
    }

    const format = () =>
      NumberFormat.getFloatInstance({ strictGroupingValidation: true, maxFractionDigits: 4 })
    const decimal = (value) =>
      NumberFormat.getFloatInstance({ minFractionDigits: 1, maxFractionDigits: 1 }).format(value)
    const percent = (value) => (value === null ? '–' : `${decimal(Number(value))} %`)
    const round = (value, currency) =>
      `${NumberFormat.getFloatInstance({ maxFractionDigits: 0 }).format(Number(value))} ${currency}`
    const day = (text) =>
      DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(new Date(text))

    /** @param then what other costs would buy */
    function tiles(bundle, { buys, currency, pairs }, then) {
      const tile = (key, of, note = '') => ({
        ...{ label: bundle.getText(key), figure: of(buys), note },
        then: then ? bundle.getText('costsThen', [of(then)]) : '',
      })
      return [
        tile(
          'simStock',
          ({ stockValue }) => round(stockValue, currency),
          bundle.getText('simAll', [whole(pairs)]),
        ),
        tile('simService', ({ fillRate }) => percent(fillRate)),
        tile('simChance', ({ stockoutChance }) => percent(stockoutChance)),
        tile('simShort', ({ shortPerYear }) => round(shortPerYear, currency)),
      ]
    }

    return {
      EMPTY,

      fields: (bundle, given = {}) =>
        NAMES.map((name) => ({
          ...{ name, label: bundle.getText(`costs_${name}`), state: 'None' },
          value: given[name] == null ? '' : format().format(given[name]),
        })),

      /** `values` are null where a field holds no number from 0 on. */
      valuesOf(fields) {
        const found = fields.map(({ name, value }) => {
          const text = value.trim()
          return [name, text ? format().parse(text) : null]
        })
        const isFault = ([, value]) => value !== null && !(value >= 0)
        const checked = fields.map((field, at) => ({
          ...field,
          state: isFault(found[at]) ? 'Error' : 'None',
        }))
        return { checked, values: found.some(isFault) ? null : Object.fromEntries(found) }
      },

      ofCosts(bundle, found) {
        const { costs, question, currency, groups, maySet } = found
        return {
          ...{ sentence: costs.text, question: question ?? '', maySet },
          tiles: tiles(bundle, found),
          groups: groups.map(({ code, text, pairs, costs: own, buys }) => ({
            ...{ code, text, pairsText: whole(pairs), costs: own ?? '' },
            mayChange: maySet && own !== null,
            ...{ stock: round(buys.stockValue, currency), service: percent(buys.fillRate) },
            chance: percent(buys.stockoutChance),
            short: round(buys.shortPerYear, currency),
          })),
        }
      },

      ofPreview: (bundle, { now, then, currency, pairs, steps }) => ({
        tiles: tiles(bundle, { buys: now, currency, pairs }, then),
        steps: steps.map((step) => ({ ...step, valueText: format().format(step.value) })),
      }),

      ofPast: (bundle, { fromDay, toDay, ratios }) => ({
        pastTitle: bundle.getText('costsPast', [day(fromDay), day(toDay)]),
        ratios: ratios.map((ratio, at) => {
          const { weeks, low, high } = ratio
          return {
            ...ratio,
            weeksText: weeks === null ? '–' : decimal(weeks),
            bandText:
              weeks === null ? '' : bundle.getText('costsBetween', [decimal(low), decimal(high)]),
            mayTake: weeks !== null && (at === 0 || Boolean(ratio.code)),
          }
        }),
      }),
    }
  },
)
