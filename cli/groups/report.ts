import type { Simulation, ValueReport } from '../../client/index.ts'
import { openClient, type Query } from '../client.ts'
import { calendarDay, callCommand, codes, group, listCommand, option, PAGING } from '../command.ts'
import { money } from '../output.ts'

import { monthsCommand } from './months.ts'
import { type Column, linesOf } from '../table.ts'

interface Days {
  from?: string
  to?: string
}

interface ServiceOptions extends Query<'/simulations/service'> {
  leadTimeChange?: string
  group?: string
}

/** `restock report …` */
export const reportCommand = () =>
  group('report', 'show the value of decisions, and what other service targets would mean', [
    callCommand({
      name: 'value',
      summary: 'compare edits and rejections with the demand that followed',
      examples: ['report value', 'report value --from 2026-09-01 --to 2026-09-30'],
      options: [
        option('--from <day>', 'decided on this day or later (default: 90 days ago)', calendarDay),
        option('--to <day>', 'decided on this day or earlier (default: today)', calendarDay),
      ],
      call: (days: Days) => openClient().call('get', '/reports/value', { query: periodOf(days) }),
      needs: ['decided', 'system', 'buyer', 'working_capital'],
      tell(found, days) {
        const { from, to } = periodOf(days)
        const { decided, unchanged, edited, rejected, evaluated, too_recent } = found
        return [
          `Decided from ${from} to ${to}: ${decided}, of which ${unchanged} as proposed,`,
          `${edited} with another quantity and ${rejected} rejected.`,
          `Compared with demand: ${evaluated}; ${too_recent} are too recent.`,
          ...(evaluated ? ['', ...linesOf(SIDES, comparisonsOf(found))] : []),
        ]
      },
    }),
    monthsCommand(),
    listCommand({
      name: 'suppliers',
      summary: 'show how each supplier kept its promises in a year, beside its peers',
      examples: ['report suppliers', 'report suppliers --supplier S-7 --json'],
      options: [...codes('supplier'), ...PAGING],
      call: (query: Query<'/scorecards'>) => openClient().call('get', '/scorecards', { query }),
      needs: ['supplier', 'lines'],
      none: 'No receipts with a promised day are known.',
      columns: [
        ['Supplier', (row) => row.supplier],
        ['Lines', (row) => row.lines, 'right'],
        ['On time', (row) => percentOf(row.on_time), 'right'],
        ['Peers', (row) => percentOf(row.peers_on_time), 'right'],
        ['In full', (row) => percentOf(row.in_full), 'right'],
        ['Both', (row) => percentOf(row.on_time_in_full), 'right'],
        ['Days late', (row) => row.days_late?.toFixed(1), 'right'],
        ['Outstanding', (row) => row.outstanding, 'right'],
        ['Prices', (row) => percentOf(row.price_change), 'right'],
        [
          'Safety stock',
          (row) =>
            row.lateness_stock.map(({ value, currency }) => money(value, currency)).join(', '),
          'right',
        ],
      ],
    }),
    callCommand({
      name: 'service',
      summary: 'simulate service against stock value, by all targets',
      examples: [
        'report service',
        'report service --target 0.97 --lead-time-change 7',
        'report service --budget 500000 --by supplier',
      ],
      options: [
        option('--target <share>', 'a service target for all, 0.5 to 0.99'),
        option('--lead-time-change <days>', 'days more (or less: -7) of each lead time'),
        option('--budget <amount>', 'of mean stock, in the account’s currency'),
        option('--by <what>', 'abc, supplier, group or location (default: abc)'),
        option('--supplier <supplier>', 'pairs of one supplier'),
        option('--location <location>', 'pairs of one location'),
        option('--group <group>', 'pairs of one SKU group'),
      ],
      call({ leadTimeChange, group, ...rest }: ServiceOptions) {
        const query = { ...rest, lead_time_change_days: leadTimeChange, sku_group: group }
        return openClient().call('get', '/simulations/service', { query })
      },
      needs: ['curve', 'groups', 'today', 'rules', 'pairs'],
      tell(found) {
        const { pairs, simulated, without_cost, without_data, currency, on_hand_value } = found
        return [
          `${simulated} of ${pairs} pairs are simulated; left out: ${without_cost} without a cost,`,
          `${without_data} blocked, phased out or not forecast yet. On hand: ${on_hand_value} ${currency}.`,
          '',
          ...linesOf(POINTS, pointsOf(found)),
          '',
          ...linesOf(GROUPS, found.groups),
        ]
      },
    }),
  ])

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const periodOf = ({ from = daysAgo(90), to = daysAgo(0) }: Days) => ({ from, to })

interface Comparison {
  what: string
  system: number | string
  buyer: number | string
}

const SIDES: Column<Comparison>[] = [
  ['', ({ what }) => what],
  ['As proposed', ({ system }) => system, 'right'],
  ['As decided', ({ buyer }) => buyer, 'right'],
]

const comparisonsOf = ({ system, buyer, working_capital }: ValueReport): Comparison[] => [
  { what: 'Stockout days', system: system.stockout_days, buyer: buyer.stockout_days },
  { what: 'Unmet demand, units', system: system.units_short, buyer: buyer.units_short },
  { what: 'Average stock, units', system: system.average_stock, buyer: buyer.average_stock },
  ...working_capital.map(({ currency, ...sides }) => ({
    what: `Average stock, ${currency || 'no currency'}`,
    ...sides,
  })),
]

type Point = Simulation['today']
interface Named {
  name: string
  point: Point
}

const targetOf = (target: number | null) => (target === null ? '–' : `P${Math.round(target * 100)}`)
const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} %`)

function pointsOf({ today, rules, curve, budget, lead_time_change_days: days }: Simulation) {
  const named = (name: string, point: Point | null | undefined): Named[] =>
    point ? [{ name, point }] : []
  return [
    ...named('current rules', today),
    ...(days ? named(`current rules, lead time ${days > 0 ? '+' : ''}${days} days`, rules) : []),
    ...curve.flatMap((point) => named(`${targetOf(point.target)} for all`, point)),
    ...named(`budget: ${targetOf(budget?.target ?? null)} for all`, budget?.at_target),
    ...named('budget, best spread', budget?.spread),
  ]
}

const POINTS: Column<Named>[] = [
  ['', ({ name }) => name],
  ['Stock', ({ point }) => point.stock_value, 'right'],
  ['Demand from stock', ({ point }) => percent(point.fill_rate), 'right'],
  ['Stockout risk per cycle', ({ point }) => percent(point.stockout_chance), 'right'],
]

const GROUPS: Column<Simulation['groups'][number]>[] = [
  ['Group', ({ code }) => code || 'others'],
  ['Items', ({ pairs }) => pairs, 'right'],
  ['Stock (current rules)', ({ rules }) => rules.stock_value, 'right'],
  ['From stock (current rules)', ({ rules }) => percent(rules.fill_rate), 'right'],
  ['Best target', ({ target }) => targetOf(target), 'right'],
]

const percentOf = (share: number | null) =>
  share === null ? null : `${(100 * share).toFixed(1)} %`
