import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { confirms } from '../confirm.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock sources remove <id>` */
export function removeCommand(): Command {
  return apiCommand('remove', 'disconnect an ERP: its rights, data and open proposals go', [
    'sources remove src_2',
    'sources remove src_1 --yes',
  ])
    .argument('<id>', 'the source, e.g. src_2')
    .option('--yes', 'do not ask')
    .action(remove)
}

interface Options {
  yes?: true
  json?: true
}

async function remove(id: string, { yes, json }: Options): Promise<void> {
  const client = openClient()
  const path = { id }
  const found = await client.call('get', '/sources/{id}', { path })
  const { type, account } = dataOf(found, ['type', 'account'])
  note(`${id}: ${type} ${account}.`)
  if (!yes && !(await confirms('Disconnect it, and remove what was read from it?'))) {
    throw new Failure('Left as it is.')
  }
  const answer = await client.call('delete', '/sources/{id}', { path })
  if (json) return printJson(answer)
  print(`Removed ${toSafeText(id)}.`)
}
