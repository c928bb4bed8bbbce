import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { Key } from '../../client/index.ts'

interface Options {
  limit?: number
  cursor?: string
  json?: true
}

/** `restock keys list` */
export function listCommand(): Command {
  return apiCommand('list', 'list the keys, without their secrets', ['keys list'])
    .option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .action(list)
}

async function list(options: Options): Promise<void> {
  const client = openClient()
  const query = { limit: options.limit, cursor: options.cursor }
  const answer = await client.call('get', '/keys', { query })
  if (options.json) return printJson(answer)
  const keys = rowsOf(answer, ['id'])
  const { next_cursor } = answer.data
  print(
    tableOf<Key>(
      [
        { head: 'ID', value: (row) => row.id },
        { head: 'Name', value: (row) => row.name },
        { head: 'Status', value: (row) => row.status?.replaceAll('_', ' ') },
        { head: 'Acts as', value: (row) => row.acts_as },
        { head: 'Max order value', value: (row) => row.max_order_value, isRightAligned: true },
        { head: 'Expires', value: (row) => row.expires_at },
        { head: 'Rotated to', value: (row) => row.rotated_to },
        { head: 'Scopes', value: (row) => row.scopes?.join(', ') },
      ],
      keys,
    ),
  )
  if (next_cursor) note(`There are more: continue with --cursor ${next_cursor}`)
}
