import { InvalidArgumentError } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { ValueReport } from '../../client/index.ts'

interface Options {
  from?: string
  to?: string
  json?: true
}

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** `restock report value` */
export function valueCommand(): Command {
  return apiCommand('value', 'compare edits and rejections with the demand that followed', [
    'report value',
    'report value --from 2026-09-01 --to 2026-09-30',
  ])
    .option('--from <day>', 'decided on this day or later (default: 90 days ago)', day)
    .option('--to <day>', 'decided on this day or earlier (default: today)', day)
    .action(value)
}

async function value({ from = daysAgo(90), to = daysAgo(0), json }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/reports/value', { query: { from, to } })
  if (json) return printJson(answer)
  const found = dataOf(answer, ['decided', 'system', 'buyer', 'working_capital'])
  const { decided, unchanged, edited, rejected, evaluated, too_recent } = found
  print(`Decided from ${from} to ${to}: ${decided}, of which ${unchanged} as proposed,`)
  print(`${edited} with another quantity and ${rejected} rejected.`)
  print(`Compared with demand: ${evaluated}; ${too_recent} are too recent.`)
  if (evaluated) print(`\n${tableOf(COLUMNS, rowsOf(found))}`)
}

interface Row {
  what: string
  system: number | string
  buyer: number | string
}

const COLUMNS = [
  { head: '', value: (row: Row) => row.what },
  { head: 'As proposed', value: (row: Row) => row.system, isRightAligned: true },
  { head: 'As decided', value: (row: Row) => row.buyer, isRightAligned: true },
]

const rowsOf = ({ system, buyer, working_capital }: ValueReport): Row[] => [
  { what: 'Stockout days', system: system.stockout_days, buyer: buyer.stockout_days },
  { what: 'Unmet demand, units', system: system.units_short, buyer: buyer.units_short },
  { what: 'Average stock, units', system: system.average_stock, buyer: buyer.average_stock },
  ...working_capital.map(({ currency, ...sides }) => ({
    what: `Average stock, ${currency || 'no currency'}`,
    ...sides,
  })),
]

function day(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (isDay) return text
  throw new InvalidArgumentError('It must be a calendar day as YYYY-MM-DD.')
}
