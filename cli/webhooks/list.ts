import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { Webhook } from '../../client/index.ts'

interface Options {
  limit?: number
  cursor?: string
  json?: true
}

/** `restock webhooks list` */
export function listCommand(): Command {
  return apiCommand('list', 'list webhooks, without their secrets', ['webhooks list'])
    .option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .action(list)
}

async function list({ json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/webhooks', { query })
  if (json) return printJson(answer)
  const webhooks = rowsOf(answer, ['id', 'url', 'events', 'status'])
  if (!webhooks.length) return note('There are no webhooks: "restock webhooks add" makes one.')
  print(
    tableOf<Webhook>(
      [
        { head: 'ID', value: (row) => row.id },
        { head: 'Address', value: (row) => row.url },
        { head: 'Status', value: (row) => row.status },
        { head: 'Why', value: (row) => row.disabled_reason?.replaceAll('_', ' ') },
        { head: 'Failing since', value: (row) => row.failing_since },
        { head: 'Events', value: (row) => row.events.join(', ') },
      ],
      webhooks,
    ),
  )
  const { next_cursor: next } = answer.data
  if (next) note(`There are more: continue with --cursor ${next}`)
}
