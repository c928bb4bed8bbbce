import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { Simulation } from '../../client/index.ts'

interface Options {
  target?: string
  leadTimeChange?: string
  budget?: string
  by?: 'abc' | 'supplier' | 'group' | 'location'
  supplier?: string
  location?: string
  group?: string
  json?: true
}

/** `restock report service` */
export function serviceCommand(): Command {
  return apiCommand('service', 'simulate service against stock value, by all targets', [
    'report service',
    'report service --target 0.97 --lead-time-change 7',
    'report service --budget 500000 --by supplier',
  ])
    .option('--target <share>', 'a service target for all, 0.5 to 0.99')
    .option('--lead-time-change <days>', 'days more (or less: -7) of each lead time')
    .option('--budget <amount>', 'of mean stock, in the account’s currency')
    .option('--by <what>', 'abc, supplier, group or location (default: abc)')
    .option('--supplier <supplier>', 'pairs of one supplier')
    .option('--location <location>', 'pairs of one location')
    .option('--group <group>', 'pairs of one SKU group')
    .action(service)
}

async function service({ leadTimeChange, group, json, ...rest }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/simulations/service', {
    query: { ...rest, lead_time_change_days: leadTimeChange, sku_group: group },
  })
  if (json) return printJson(answer)
  const found = dataOf(answer, ['curve', 'groups', 'today', 'rules', 'pairs'])
  const { pairs, simulated, without_cost, without_data, currency, on_hand_value } = found
  print(`${simulated} of ${pairs} pairs are simulated; left out: ${without_cost} without a cost,`)
  print(
    `${without_data} blocked, phased out or not forecast yet. On hand: ${on_hand_value} ${currency}.`,
  )
  print(`\n${tableOf(POINTS, pointsOf(found))}`)
  print(`\n${tableOf(GROUPS, found.groups)}`)
}

type Point = Simulation['today']
type Group = Simulation['groups'][number]
interface Named {
  name: string
  point: Point
}

const nameOf = (target: number | null) => (target === null ? '–' : `P${Math.round(target * 100)}`)
const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} %`)

function pointsOf({ today, rules, curve, budget, lead_time_change_days: days }: Simulation) {
  const named = (name: string, point: Point | null | undefined): Named[] =>
    point ? [{ name, point }] : []
  return [
    ...named('current rules', today),
    ...(days ? named(`current rules, lead time ${days > 0 ? '+' : ''}${days} days`, rules) : []),
    ...curve.flatMap((point) => named(`${nameOf(point.target)} for all`, point)),
    ...named(`budget: ${nameOf(budget?.target ?? null)} for all`, budget?.at_target),
    ...named('budget, best spread', budget?.spread),
  ]
}

const POINTS = [
  { head: '', value: ({ name }: Named) => name },
  { head: 'Stock', value: ({ point }: Named) => point.stock_value, isRightAligned: true },
  {
    head: 'Demand from stock',
    value: ({ point }: Named) => percent(point.fill_rate),
    isRightAligned: true,
  },
  {
    head: 'Stockout risk per cycle',
    value: ({ point }: Named) => percent(point.stockout_chance),
    isRightAligned: true,
  },
]

const GROUPS = [
  { head: 'Group', value: ({ code }: Group) => code || 'others' },
  { head: 'Items', value: ({ pairs }: Group) => pairs, isRightAligned: true },
  {
    head: 'Stock (current rules)',
    value: ({ rules }: Group) => rules.stock_value,
    isRightAligned: true,
  },
  {
    head: 'From stock (current rules)',
    value: ({ rules }: Group) => percent(rules.fill_rate),
    isRightAligned: true,
  },
  { head: 'Best target', value: ({ target }: Group) => nameOf(target), isRightAligned: true },
]
