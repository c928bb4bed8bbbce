import type { Command } from 'commander'
import type { PlannedEvent } from '../../client/index.ts'
import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'

interface Options {
  kind?: PlannedEvent['kind']
  sku?: string
  location?: string
  group?: string
  all?: true
  limit?: number
  cursor?: string
  json?: true
}

/** `restock plan list` */
export function listCommand(): Command {
  return apiCommand('list', 'list what is planned, newest entry first', [
    'plan list',
    'plan list --kind closure --all',
  ])
    .option('--kind <kind>', 'promotion, price, event, holiday or closure')
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
  const answer = await openClient().call('get', '/planned-events', { query })
  if (json) return printJson(answer)
  const events = rowsOf(answer, ['id', 'kind'])
  const { next_cursor } = answer.data
  if (!events.length) return note('Nothing is planned.')
  print(
    tableOf<PlannedEvent>(
      [
        { head: 'Id', value: (row) => row.id },
        { head: 'Kind', value: (row) => row.kind },
        { head: 'Days', value: daysOf },
        { head: 'For', value: selectorsOf },
        { head: 'Factor', value: (row) => row.factor },
        { head: 'Name', value: (row) => row.name },
        { head: 'Set by', value: setBy },
      ],
      events,
    ),
  )
  if (next_cursor) note(`There are more: continue with --cursor ${next_cursor}`)
}

const setBy = ({ origin, source_id, changed_by }: PlannedEvent) =>
  origin === 'holiday' ? 'public holiday' : (source_id ?? changed_by)

const daysOf = ({ from, to }: PlannedEvent) => (from === to ? from : `${from} to ${to}`)

type Selectors = Pick<PlannedEvent, 'sku' | 'location' | 'group'>

/** `sku A-100, location L1` */
export function selectorsOf({ sku, location, group }: Selectors): string {
  const named = Object.entries({ sku, group, location }).filter(([, code]) => code)
  return named.map(([name, code]) => `${name} ${code}`).join(', ') || 'all'
}
