import { Command } from 'commander'
import { openClient } from './client.ts'
import { apiCommand } from './command.ts'
import { note, print, printJson } from './output.ts'
import { checkCommand } from './sources/check.ts'
import { removeCommand } from './sources/remove.ts'
import { editCommand } from './sources/edit.ts'
import { readSources } from './sources/read.ts'
import { nextRunOf, showCommand } from './sources/show.ts'
import { typesCommand } from './sources/types.ts'
import { tableOf } from './table.ts'
import type { Source } from '../client/index.ts'

/** `restock sources list|show|edit|check|types|remove` */
export function sourcesCommand(): Command {
  const list = apiCommand('list', 'list the connected ERPs', ['sources list']).action(listSources)
  const commands = [
    list,
    showCommand(),
    editCommand(),
    checkCommand(),
    typesCommand(),
    removeCommand(),
  ]
  const sources = new Command('sources').description(
    'show, change, check and remove connected ERPs',
  )
  for (const command of commands) sources.addCommand(command)
  return sources
}

async function listSources(options: { json?: true }): Promise<void> {
  const client = openClient()
  if (options.json) return printJson(await client.call('get', '/sources'))
  const sources = await readSources(client)
  if (sources.length === 0) return note('No source is connected: see "restock connect --help".')
  print(
    tableOf<Source>(
      [
        { head: 'ID', value: (row) => row.id },
        { head: 'Type', value: (row) => row.type },
        { head: 'Account', value: (row) => row.account },
        { head: 'Role', value: (row) => row.role },
        { head: 'Status', value: (row) => row.status },
        { head: 'Last sync', value: (row) => row.last_sync?.id },
        { head: 'Result', value: (row) => row.last_sync?.status },
        { head: 'Finished', value: (row) => row.last_sync?.finished_at },
        { head: 'Data as of', value: (row) => row.data_as_of },
        { head: 'Next run', value: nextRunOf },
      ],
      sources,
    ),
  )
}
