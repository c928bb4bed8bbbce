import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, collect, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { Exception, InputOf } from '../../client/index.ts'

type Query = NonNullable<InputOf<'get', '/exceptions'>['query']>

interface Options extends Pick<Query, 'kind' | 'location' | 'sku' | 'supplier' | 'cursor'> {
  settled?: true
  limit?: number
  json?: true
}

/** `restock exceptions list` */
export function listCommand(): Command {
  return apiCommand('list', 'list what no order can mend, the newest first', [
    'exceptions list --kind expedite,overdue_order',
    'exceptions list --supplier S-7',
    'exceptions list --settled --json',
  ])
    .option('--kind <kind>', 'repeat for several, e.g. expedite', collect)
    .option('--location <code>')
    .option('--sku <code>')
    .option('--supplier <code>')
    .option('--settled', 'those that somebody has settled, instead of the open ones')
    .option('--limit <n>', 'at most so many lines, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'go on after an earlier answer')
    .action(list)
}

async function list({ json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/exceptions', { query })
  if (json) return printJson(answer)
  const exceptions = rowsOf(answer, ['id', 'kind', 'sku', 'location', 'quantity', 'message'])
  const { next_cursor } = answer.data
  if (!exceptions.length) return note('There are no such exceptions.')
  print(
    tableOf<Exception>(
      [
        { head: 'ID', value: (row) => row.id },
        { head: 'Kind', value: (row) => row.kind.replaceAll('_', ' ') },
        { head: 'SKU', value: (row) => row.sku },
        { head: 'Location', value: (row) => row.location },
        { head: 'Supplier', value: (row) => row.supplier },
        { head: 'Quantity', value: (row) => row.quantity, isRightAligned: true },
        { head: 'Value', value: valueOf, isRightAligned: true },
        { head: 'Details', value: (row) => row.message },
      ],
      exceptions,
    ),
  )
  if (next_cursor) note(`There are more: go on with --cursor ${next_cursor}`)
}

function valueOf({ value, currency }: Exception): string | null {
  return value ? `${value} ${currency ?? ''}`.trim() : null
}
