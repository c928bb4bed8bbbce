import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { components } from '../../client/index.ts'

type Entry = components['schemas']['HistoryEntry']

/** `restock proposals history <id>` */
export function historyCommand(): Command {
  return apiCommand('history', 'list what happened to a proposal, the oldest first', [
    'proposals history prop_1042',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .option('--cursor <cursor>', 'go on after an earlier answer')
    .action(history)
}

interface Options {
  cursor?: string
  json?: true
}

async function history(id: string, { json, cursor }: Options): Promise<void> {
  const client = openClient()
  const query = { cursor, limit: 200 }
  const answer = await client.call('get', '/proposals/{id}/history', { path: { id }, query })
  if (json) return printJson(answer)
  print(
    tableOf<Entry>(
      [
        { head: 'When', value: (row) => row.at },
        { head: 'Event', value: (row) => row.event.replaceAll('_', ' ') },
        { head: 'Quantity', value: (row) => row.quantity, isRightAligned: true },
        { head: 'By', value: whoOf },
        { head: 'Via', value: (row) => row.via.replaceAll('_', ' ') },
        { head: 'Comment', value: (row) => row.comment },
      ],
      rowsOf(answer, ['at', 'event', 'by', 'via']),
    ),
  )
  const { next_cursor: next } = answer.data
  if (next) note(`There are more: go on with --cursor ${next}`)
}

const whoOf = ({ by, on_behalf_of: absent }: Entry) => (absent ? `${by} for ${absent}` : by)
