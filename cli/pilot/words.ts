// What a pilot came to, in words: for the terminal, the page and the workbook alike.
import type { Band } from '../../engine/replay/index.ts'
import { type Column, linesOf } from '../table.ts'
import {
  type Compared,
  type Figure,
  FIGURES,
  type GroupOf,
  negated,
  type PairOf,
  type Report,
} from './figures.ts'
import { REASONS } from './replay-job.ts'
import type { TextKey, Words } from './texts.ts'

const shown = (words: Words, figure: Figure, value: number) =>
  figure === 'fillRate' ? words.percent(value) : words.whole(value)

export const SIDES = [
  ['own', 'as_it_was'],
  ['restock', 'with_restock'],
] as const

/** What a figure is called of a side. */
export const ofSide = (words: Words, key: TextKey, side: TextKey) =>
  `${words.text(key)}: ${words.text(side)}`

export const bandText = (
  words: Words,
  { low, high }: Band,
  text = (value: number) => words.whole(value),
) => words.text('between', { low: text(low), high: text(high) })

export function figureColumns(words: Words): Column<[Figure, Compared]>[] {
  const side = (name: keyof Compared, key: TextKey): Column<[Figure, Compared]> => [
    words.text(key),
    ([figure, compared]) => shown(words, figure, compared[name].value),
    'right',
  ]
  return [
    ['', ([figure]) => words.text(figure)],
    side('own', 'as_it_was'),
    side('restock', 'with_restock'),
    side('difference', 'difference'),
    [
      words.text('band'),
      ([figure, { difference }]) =>
        bandText(words, difference, (value) => shown(words, figure, value)),
      'right',
    ],
  ]
}

export const comparedOf = ({ all }: Report) =>
  FIGURES.map((figure): [Figure, Compared] => [figure, all[figure]])

const groupColumns = (words: Words): Column<GroupOf>[] => [
  [words.text('by'), ({ by }) => words.text(by)],
  ['', ({ code }) => code || words.text('none')],
  [words.text('pairs'), ({ pairs }) => words.whole(pairs), 'right'],
  [words.text('saving'), ({ saving }) => words.whole(saving.value), 'right'],
  [words.text('band'), ({ saving }) => bandText(words, saving), 'right'],
]

const pairColumns = (words: Words): Column<PairOf>[] => [
  [words.text('sku'), ({ sku }) => sku],
  [words.text('location'), ({ location }) => location],
  [ofSide(words, 'cost', 'as_it_was'), ({ own }) => words.whole(own.cost), 'right'],
  [ofSide(words, 'cost', 'with_restock'), ({ restock }) => words.whole(restock.cost), 'right'],
  [words.text('saving'), ({ saving }) => words.whole(saving), 'right'],
]

/** What is said first. */
export function verdictOf(words: Words, report: Report): string {
  const { verdict, saving, savingPerYear, savingShare, currency, pairsOf } = report
  if (!pairsOf.replayed) return words.text('verdict_nothing')
  const amount = (value: number) => words.amount(value, currency)
  return words.text(`verdict_${verdict}`, {
    saving: amount(saving.value),
    more: amount(-saving.value),
    year: amount(savingPerYear.value),
    share: words.percent(savingShare.value),
    band: bandText(words, verdict === 'costs_more' ? negated(saving) : saving),
  })
}

/** Shares of demand below it are not worth a sentence. */
const WORTH_SAYING = { unexplained: 0.005, estimated: 0.0005 }

/** What bounds the claim: sentences. */
export function limitsOf(words: Words, report: Report): string[] {
  const { known, replayed, left, otherCurrency } = report.pairsOf
  const { namedPairs, unexplainedShare, estimatedShare, unknownDays, gapDays } = report
  const isCounted = namedPairs < replayed
  const shareText = (share: number) => ({ share: words.percent(share) })
  return [
    words.text('replayed', { replayed, known }),
    ...REASONS.filter((reason) => left[reason] > 0).map((reason) =>
      words.text(`left_${reason}`, { pairs: words.pairs(left[reason]) }),
    ),
    ...(otherCurrency
      ? [
          words.text('left_currency', {
            pairs: words.pairs(otherCurrency),
            currency: report.currency ?? words.text('none'),
          }),
        ]
      : []),
    isCounted
      ? words.text('counted', { pairs: words.pairs(replayed - namedPairs) })
      : words.text('all_named'),
    ...(isCounted && unexplainedShare >= WORTH_SAYING.unexplained
      ? [words.text('unexplained', shareText(unexplainedShare))]
      : []),
    ...(estimatedShare >= WORTH_SAYING.estimated
      ? [words.text('estimated', shareText(estimatedShare))]
      : []),
    ...(unknownDays ? [words.text('unknown_days', { count: unknownDays })] : []),
    ...(gapDays ? [words.text('gap_days', { count: gapDays })] : []),
    ...(report.ordersBelowMinimum
      ? [words.text('below_minimum', { count: report.ordersBelowMinimum })]
      : []),
    ...(report.youngPairs ? [words.text('young', { pairs: words.pairs(report.youngPairs) })] : []),
    ...report.notes.map((note) => words.note(note)),
  ]
}

/** How it was counted: sentences. */
export const howOf = (words: Words): string[] =>
  (['how_alike', 'how_orders', 'how_arrival', 'how_band'] as const).map((key) => words.text(key))

export const endOf = (words: Words, { end }: Report): string =>
  words.text('end', { own: words.whole(end.own), restock: words.whole(end.restock) })

export function linesOfReport(words: Words, report: Report): string[] {
  const { from, to, days, gainers, losers, groups, pairsOf } = report
  const table = (title: string, lines: string[]) => ['', `${title}:`, '', ...lines]
  const most = (key: 'gain_most' | 'lose_most', pairs: PairOf[]) =>
    pairs.length
      ? table(
          words.text(key, { pairs: words.pairs(pairs.length) }),
          linesOf(pairColumns(words), pairs),
        )
      : []
  return [
    words.text('weeks', { from, to, weeks: Math.round(days / 7) }),
    verdictOf(words, report),
    ...(pairsOf.replayed
      ? [
          '',
          ...linesOf(figureColumns(words), comparedOf(report)),
          '',
          endOf(words, report),
          ...(groups.length
            ? table(words.text('by_group'), linesOf(groupColumns(words), groups))
            : []),
          ...most('gain_most', gainers),
          ...most('lose_most', losers),
        ]
      : []),
    ...table(words.text('limits'), limitsOf(words, report)),
  ]
}
