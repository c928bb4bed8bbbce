import type { Body, Query } from '../client.ts'
import { openClient } from '../client.ts'
import { callCommand, group, numberLike, option, wholeNumber } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { type Column, linesOf } from '../table.ts'
import type { components } from '../../client/index.ts'

type Schemas = components['schemas']
type Input = Body<'put', '/costs'>
type Point = Schemas['SimulationPoint']

const BY = option('--by <what>', 'which groups are told (default: abc)', ['abc', 'group'])

const NUMBER = numberLike(/^\d{1,9}(\.\d{1,4})?$/, 'a number, not negative')

const WORDS = [
  option('--group <code>', 'of this SKU group alone (default: of all)'),
  option('--class <class>', 'of this ABC class alone, where no group says otherwise', [
    'A',
    'B',
    'C',
  ]),
  option('--unmet-demand <what>', 'what becomes of demand that finds no stock', [
    'backordered',
    'lost',
  ]),
  option('--margin-percent <n>', 'of the price: what is earned with a unit', NUMBER),
  option('--late-percent <n>', 'of the price: what a unit costs that a customer waits for', NUMBER),
  option('--short-per-unit <amount>', 'in money, instead of both: what a unit short costs', NUMBER),
  option(
    '--weeks <n>',
    'instead of all: a unit short costs as much as carrying one so long',
    NUMBER,
  ),
  option('--storage-percent <n>', 'of the unit cost a year', NUMBER),
  option('--interest-percent <n>', 'of the unit cost a year', NUMBER),
  option('--write-off-percent <n>', 'of the unit cost, of what lies longer than the days', NUMBER),
  option('--write-off-after-days <n>', 'days after which it is written off', wholeNumber(1)),
]

interface Words {
  group?: string
  class?: string
  [name: string]: unknown
}

/** `restock costs …` */
export const costsCommand = () =>
  group('costs', 'what a stockout and stock cost, and which service that buys', [
    callCommand({
      name: 'show',
      summary: 'show the costs in force, and the service and stock that they buy',
      examples: ['costs show', 'costs show --by group'],
      options: [BY],
      call: (query: Query<'/costs'>) => openClient().call('get', '/costs', { query }),
      needs: ['costs', 'buys', 'groups', 'currency'],
      tell: ({ question, costs, buys, groups, currency, pairs }) => [
        ...(question ? [question, ''] : []),
        sentenceOf(costs),
        `From: ${costs.from}. On the data of ${pairs} items that buys, in the long run:`,
        '',
        ...linesOf(POINTS(currency), [
          { name: 'all', point: buys },
          ...groups.map(({ code, buys: point }) => ({ name: code || 'others', point })),
        ]),
        ...ownCosts(groups),
        ...(question
          ? [
              '',
              'Say what holds for you, e.g. "restock costs set --unmet-demand lost --margin-percent 30',
              '--storage-percent 8 --interest-percent 6", or see "restock costs past".',
            ]
          : []),
      ],
    }),
    callCommand({
      name: 'past',
      summary: 'estimate the ratio of costs by which stock was kept in the past year',
      examples: ['costs past --by group'],
      options: [BY],
      call: (query: Query<'/costs/past'>) => openClient().call('get', '/costs/past', { query }),
      needs: ['from', 'to', 'all', 'groups', 'least'],
      tell: ({ from, to, all, groups, least }) => [
        `From ${from} to ${to} stock was kept as if a unit short cost as much as carrying one for:`,
        '',
        ...linesOf(ratios(least), [{ ...all, code: 'all' }, ...groups]),
        ...(all.weeks === null
          ? []
          : [
              '',
              `Nothing is set by it. To take it over: "restock costs set --weeks ${all.weeks}".`,
            ]),
      ],
    }),
    callCommand({
      name: 'preview',
      summary: 'say what other costs, in your own words, would buy; it sets nothing',
      examples: [
        'costs preview --unmet-demand lost --margin-percent 30 --storage-percent 8',
        'costs preview --weeks 12 --group seasonal',
      ],
      options: WORDS,
      call: (words: Words) => openClient().call('post', '/costs/preview', { body: bodyOf(words) }),
      needs: ['steps', 'now', 'then', 'currency', 'after'],
      tell: ({ steps, now, then, currency, after, pairs }) => [
        ...linesOf(STEPS, steps),
        '',
        sentenceOf(after),
        `On the data of ${pairs} items that buys, in the long run:`,
        '',
        ...linesOf(POINTS(currency), [
          { name: 'now', point: now },
          { name: 'then', point: then },
        ]),
      ],
    }),
    callCommand({
      name: 'set',
      summary: 'set the costs in your own words, for all, a SKU group or an ABC class',
      examples: [
        'costs set --unmet-demand lost --margin-percent 30 --storage-percent 8 --interest-percent 6',
        'costs set --unmet-demand backordered --margin-percent 30 --late-percent 5',
        'costs set --weeks 12 --group seasonal',
        'costs set --weeks 40 --class A',
      ],
      options: WORDS,
      call: (words: Words) => openClient().call('put', '/costs', { body: bodyOf(words) }),
      needs: ['steps', 'costs'],
      tell: ({ steps, costs }) => [...linesOf(STEPS, steps), '', `Set. ${sentenceOf(costs)}`],
    }),
  ])

function bodyOf({ group: code, class: abcClass, ...words }: Words): Input {
  const given = Object.entries(words).filter(([, value]) => value !== undefined)
  if (!given.length) throw new WrongUsage('Say at least one cost, e.g. --margin-percent 30.')
  const named = given.map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return {
    ...Object.fromEntries(named),
    ...(code && { sku_group: code }),
    ...(abcClass && { abc_class: abcClass }),
  } as Input
}

function sentenceOf(costs: Schemas['CostValues']): string {
  const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`
  const unmet = costs.unmet_demand === 'lost' ? 'is lost' : 'waits'
  const { weeks } = costs
  const worth =
    weeks === null ? 'nothing beside carrying, which is free' : `carrying one for ${weeks} weeks`
  return (
    `A unit short costs as much as ${worth}: ${percent(costs.stockout_cost_share)} of its cost, against ` +
    `${percent(costs.carrying_cost_share_per_year)} a year. Demand that finds no stock ${unmet}.`
  )
}

/** What groups or classes cost that have costs of their own. */
function ownCosts(groups: Schemas['GroupCosts'][]): string[] {
  const own = groups.filter(({ costs }) => costs?.from && OWN.test(costs.from))
  const lines = own.map(({ code, costs }) => `${code} (${costs!.from}): ${sentenceOf(costs!)}`)
  return lines.length ? ['', ...lines] : []
}

const OWN = /^policy:(group|class) /

interface Named {
  name: string
  point: Point
}

const share = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} %`)

const POINTS = (currency: string): Column<Named>[] => [
  ['', ({ name }) => name],
  [`Stock (${currency})`, ({ point }) => point.stock_value, 'right'],
  ['Demand from stock', ({ point }) => share(point.fill_rate), 'right'],
  ['Stockout risk per cycle', ({ point }) => share(point.stockout_chance), 'right'],
  [`Unmet a year (${currency})`, ({ point }) => point.short_per_year, 'right'],
]

const STEPS: Column<Schemas['CostStep']>[] = [
  ['Cost', ({ term }) => term.replaceAll('_', ' ')],
  ['Arithmetic', ({ formula }) => formula || 'stays as it is'],
  ['Result', ({ value }) => value, 'right'],
]

const ratios = (least: Schemas['PastCosts']['least']): Column<Schemas['PastRatio']>[] => [
  ['Group', ({ code }) => code || 'others'],
  ['Weeks', ({ weeks }) => weeks ?? '–', 'right'],
  ['Between', ({ low, high }) => (low === null ? '' : `${low} and ${high}`), 'right'],
  ['Items', ({ pairs }) => pairs, 'right'],
  [
    'From',
    ({ found_from: from, reason }) =>
      from
        ? `${from.stockouts} stockouts of ${from.pairs} items`
        : `cannot be told: ${WHY[reason!](least)}`,
  ],
]

const WHY: Record<
  NonNullable<Schemas['PastRatio']['reason']>,
  (least: Schemas['PastCosts']['least']) => string
> = {
  no_stock_history: ({ days }) => `no stock known for ${days} days without gaps`,
  no_orders: ({ receipts }) => `no item with ${receipts} receipts`,
  few_stockouts: () => 'too few stockouts, or too uneven ones',
}
