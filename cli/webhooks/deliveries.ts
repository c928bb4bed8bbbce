import { Option } from 'commander'
import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { components } from '../../client/index.ts'

type Delivery = components['schemas']['Delivery']

interface Options {
  status?: Delivery['status']
  limit?: number
  cursor?: string
  json?: true
}

/** `restock webhooks deliveries <id>` */
export function deliveriesCommand(): Command {
  return apiCommand('deliveries', 'list what was sent to an address, and how it was answered', [
    'webhooks deliveries wh_1 --status failed',
  ])
    .argument('<id>', 'as "restock webhooks list" shows it')
    .addOption(
      new Option('--status <status>', 'those alone').choices(['pending', 'succeeded', 'failed']),
    )
    .option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .action(deliveries)
}

async function deliveries(id: string, { json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/webhooks/{id}/deliveries', { path: { id }, query })
  if (json) return printJson(answer)
  const rows = rowsOf(answer, ['id', 'type', 'status', 'attempts'])
  if (!rows.length) return note('There are no such deliveries.')
  print(
    tableOf<Delivery>(
      [
        { head: 'Event', value: (row) => row.id },
        { head: 'Type', value: (row) => row.type },
        { head: 'Status', value: (row) => row.status },
        { head: 'Attempts', value: (row) => row.attempts, isRightAligned: true },
        { head: 'Answer', value: (row) => row.response_status },
        { head: 'Next', value: (row) => row.next_attempt_at },
        { head: 'Problem', value: (row) => row.problem },
      ],
      rows,
    ),
  )
  const { next_cursor: next } = answer.data
  if (next) note(`There are more: continue with --cursor ${next}`)
}
