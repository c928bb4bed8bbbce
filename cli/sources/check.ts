import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { printFiles } from './files.ts'
import { print, printJson } from '../output.ts'
import { printNeededRights } from '../rights.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { Source } from '../../client/index.ts'

type Stream = NonNullable<Source['streams']>[number]

/** `restock sources check <id>` */
export function checkCommand(): Command {
  return apiCommand('check', 'check which streams of an ERP can be read', ['sources check src_2'])
    .argument('<id>', 'the source, e.g. src_2')
    .action(check)
}

async function check(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/sources/{id}/check', { path: { id } })
  const checked = dataOf(answer, ['id', 'type', 'account', 'status'])
  const streams = checked.streams ?? []
  const isClosed = streams.some(({ status }) => status === 'forbidden' || status === 'failed')
  if (isClosed) process.exitCode = 1
  if (options.json) return printJson(answer)
  printNeededRights(checked)
  print(
    tableOf<Stream>(
      [
        { head: 'Stream', value: (row) => row.stream },
        { head: 'Now', value: (row) => row.status },
        { head: 'Why', value: (row) => row.message },
      ],
      streams,
    ),
  )
  printFiles(checked)
}
