import type { Command } from 'commander'
import type { ForecastOverride } from '../../client/index.ts'
import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { selectorsOf } from '../plan/list.ts'
import { tableOf } from '../table.ts'

interface Options {
  sku?: string
  location?: string
  group?: string
  all?: true
  limit?: number
  cursor?: string
  json?: true
}

/** `restock overrides list` */
export function listCommand(): Command {
  return apiCommand('list', 'list what planners say instead of forecasts, newest first', [
    'overrides list',
    'overrides list --sku A-100 --all',
  ])
    .option('--sku <code>')
    .option('--location <code>')
    .option('--group <code>')
    .option('--all', 'also what is over')
    .option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .action(list)
}

async function list({ json, all, ...filters }: Options): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const query = { ...filters, ...(!all && { not_before: today }) }
  const answer = await openClient().call('get', '/forecast-overrides', { query })
  if (json) return printJson(answer)
  const overrides = rowsOf(answer, ['id', 'from'])
  const { next_cursor } = answer.data
  if (!overrides.length) return note('No forecast is adjusted.')
  print(
    tableOf<ForecastOverride>(
      [
        { head: 'Id', value: (row) => row.id },
        { head: 'Change', value: changeOf },
        { head: 'Days', value: ({ from, to }) => (from === to ? from : `${from} to ${to}`) },
        { head: 'For', value: selectorsOf },
        { head: 'Status', value: (row) => row.status },
        { head: 'Error', value: errorOf },
        { head: 'Reason', value: (row) => row.reason },
        { head: 'Set by', value: (row) => row.created_by },
      ],
      overrides,
    ),
  )
  if (next_cursor) note(`There are more: continue with --cursor ${next_cursor}`)
}

/** `-33 %` for a third less than the forecast's; null before it is measured. */
function errorOf({ value_added: value }: ForecastOverride): string | null {
  if (!value?.error_statistical) return null
  const change = Math.round(100 * (value.error_adjusted / value.error_statistical - 1))
  return `${change > 0 ? '+' : ''}${change} %`
}

/** `+20 %`, `500 units` */
export function changeOf({ percent, units }: Pick<ForecastOverride, 'percent' | 'units'>): string {
  if (percent === null) return `${units} units`
  return `${percent < 0 ? '' : '+'}${percent} %`
}
