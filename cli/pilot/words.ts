// What a pilot came to, in words: for the terminal, the page and the workbook alike.
import type { Band } from '../../engine/replay/index.ts'
import { count } from '../output.ts'
import { type Column, linesOf } from '../table.ts'
import {
  type Compared,
  type Figure,
  FIGURES,
  type GroupOf,
  type PairOf,
  type Report,
} from './figures.ts'
import type { Reason } from './replay-job.ts'

const numbers = (maximumFractionDigits: number) =>
  new Intl.NumberFormat('en', { maximumFractionDigits, signDisplay: 'negative' })
const [WHOLE, SMALL] = [numbers(0), numbers(1)]

/** `1,234`; amounts and units are shown whole, small ones with a digit. */
export const whole = (value: number): string => (Math.abs(value) < 10 ? SMALL : WHOLE).format(value)

export const percent = (share: number | null): string =>
  share === null ? '–' : `${(100 * share).toFixed(1)} %`

export const FIGURE_NAMES: Record<Figure, string> = {
  stockValue: 'Mean stock value',
  fillRate: 'Fill rate',
  stockoutDays: 'Days without stock, over all pairs',
  stockouts: 'Stockouts',
  lines: 'Order lines',
  orders: 'Orders',
  carrying: 'Cost of carrying stock',
  shortage: 'Cost of units short',
  ordering: 'Cost of order lines',
  cost: 'Cost in all',
}

export const shown = (figure: Figure, value: number) =>
  figure === 'fillRate' ? percent(value) : whole(value)

export const bandText = ({ low, high }: Band, text: (value: number) => string = whole) =>
  `${text(low)} to ${text(high)}`

export const FIGURE_COLUMNS: Column<[Figure, Compared]>[] = [
  ['', ([figure]) => FIGURE_NAMES[figure]],
  ['AS IT WAS', ([figure, { own }]) => shown(figure, own.value), 'right'],
  ['WITH RESTOCK', ([figure, { restock }]) => shown(figure, restock.value), 'right'],
  ['DIFFERENCE', ([figure, { difference }]) => shown(figure, difference.value), 'right'],
  [
    'BAND',
    ([figure, { difference }]) => bandText(difference, (value) => shown(figure, value)),
    'right',
  ],
]

export const comparedOf = ({ all }: Report) =>
  FIGURES.map((figure): [Figure, Compared] => [figure, all[figure]])

export const GROUP_NAMES: Record<GroupOf['by'], string> = {
  abc: 'ABC class',
  group: 'SKU group',
  supplier: 'Supplier',
  location: 'Location',
}

const GROUPS: Column<GroupOf>[] = [
  ['BY', ({ by }) => GROUP_NAMES[by]],
  ['', ({ code }) => code || 'none'],
  ['PAIRS', ({ pairs }) => pairs, 'right'],
  ['SAVING', ({ saving }) => whole(saving.value), 'right'],
  ['BAND', ({ saving }) => bandText(saving), 'right'],
]

const PAIRS: Column<PairOf>[] = [
  ['SKU', ({ sku }) => sku],
  ['LOCATION', ({ location }) => location],
  ['COST AS IT WAS', ({ own }) => whole(own.cost), 'right'],
  ['WITH RESTOCK', ({ restock }) => whole(restock.cost), 'right'],
  ['SAVING', ({ saving }) => whole(saving), 'right'],
]

/** What is said first. */
export function verdictOf({
  verdict,
  saving,
  savingPerYear,
  savingShare,
  currency,
  pairsOf,
}: Report): string {
  const amount = (value: number) => `${whole(value)}${currency ? ` ${currency}` : ''}`
  if (!pairsOf.replayed) return 'Nothing can be said: no pair could be replayed.'
  if (verdict === 'saves')
    return `Every proposal, ordered as calculated, would have saved ${amount(saving.value)} (${percent(savingShare.value)} of the cost; ${bandText(saving)} in nine of ten cases), which is ${amount(savingPerYear.value)} a year.`
  if (verdict === 'costs_more')
    return `Nothing to gain: every proposal, ordered as calculated, would have cost ${amount(-saving.value)} more (${bandText(negated(saving))}).`
  return `Nothing to gain: the difference in cost, ${amount(saving.value)}, cannot be told from chance or is too small to matter (${bandText(saving)}).`
}

const negated = ({ value, low, high }: Band): Band => ({ value: -value, low: -high, high: -low })

const REASON_TEXTS: Record<Reason, string> = {
  no_lead_time: 'have no lead time',
  no_cost: 'have no unit cost',
  no_stock: 'have no stock that is known',
  too_new: 'are too new, or never sold',
  contradicts: 'have receipts and demand that do not explain their stock',
}

/** What bounds the claim: sentences. */
export function limitsOf(report: Report): string[] {
  const { known, replayed, left, otherCurrency } = report.pairsOf
  const reasons = Object.entries(left).filter(([, number]) => number > 0)
  return [
    `${replayed} of ${count(known, 'pair')} of SKU and location are replayed; the figures say nothing of the others.`,
    ...reasons.map(
      ([reason, number]) =>
        `${count(number, 'pair')} left out: they ${REASON_TEXTS[reason as Reason]}.`,
    ),
    ...(otherCurrency
      ? [
          `${count(otherCurrency, 'pair')} left out: their unit cost is in another currency than ${report.currency ?? 'none'}.`,
        ]
      : []),
    report.namedPairs === replayed
      ? 'The stock of every pair is that of its stock history.'
      : `The stock of ${count(replayed - report.namedPairs, 'pair')} is not that of a stock history on most days, but counted from receipts and demand${report.unexplainedShare >= 0.005 ? `; what neither explains is ${percent(report.unexplainedShare)} of demand` : ''}.`,
    ...(report.estimatedShare >= 0.0005
      ? [
          `${percent(report.estimatedShare)} of demand found no stock and was not booked: it is estimated from days with stock nearby, for both sides alike.`,
        ]
      : []),
    ...(report.unknownDays
      ? [
          `On ${count(report.unknownDays, 'day')} of pairs without stock nothing can be told of demand: they count with what was sold.`,
        ]
      : []),
    ...(report.gapDays
      ? [
          `${count(report.gapDays, 'day')} of pairs count for neither side, since their stock is not known.`,
        ]
      : []),
    ...report.notes,
  ]
}

/** How it was counted: sentences. */
export const HOW = [
  'Both sides begin with the stock and the open orders of the first day, meet the same demand, and are counted at the same costs.',
  'Each forecast knows the days before it alone. Orders are placed at the review period in whole weeks, exactly as calculated, without a buyer who knows better, at the lead times, lot sizes and unit costs of today.',
  'An order arrives after as many days as the company’s own order did that was placed nearest to it, of the same SKU or else the same supplier; without any, after the planned lead time.',
  'A band holds the figure of a further time as long in nine of ten cases: pairs and blocks of four weeks are drawn again 600 times, and the spread is widened for the chance of the time to come.',
]

export function linesOfReport(report: Report): string[] {
  const { from, to, end, gainers, losers, groups } = report
  const table = (title: string, lines: string[]) => ['', title, '', ...lines]
  return [
    `${from} to ${to}, ${Math.round(report.days / 7)} weeks.`,
    verdictOf(report),
    ...(report.pairsOf.replayed
      ? [
          '',
          ...linesOf(FIGURE_COLUMNS, comparedOf(report)),
          '',
          `When the last day was over, stock and open orders were worth ${whole(end.own)}; with Restock ${whole(end.restock)}.`,
          ...(groups.length ? table('By group:', linesOf(GROUPS, groups)) : []),
          ...(gainers.length
            ? table(`The ${gainers.length} that gain most:`, linesOf(PAIRS, gainers))
            : []),
          ...(losers.length
            ? table(`The ${losers.length} that lose most:`, linesOf(PAIRS, losers))
            : []),
        ]
      : []),
    ...table('What bounds this:', limitsOf(report)),
  ]
}
