import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { noteConfirmation } from './confirm.ts'
import type { Command } from 'commander'

/** `restock keys rotate <id>` */
export function rotateCommand(): Command {
  return apiCommand('rotate', 'replace a key; the old one works a while longer', [
    'keys rotate k7d2m',
  ])
    .argument('<id>', 'as "restock keys list" shows it')
    .action(rotate)
}

async function rotate(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/keys/{id}/rotate', { path: { id } })
  if (options.json) return printJson(answer)
  const { key, old_key_expires_at } = dataOf(answer, ['key'])
  const until = old_key_expires_at ? `; the old one ends at ${old_key_expires_at}` : ''
  note(`The new key is shown only once${until}:`)
  noteConfirmation(answer.data)
  print(toSafeText(key))
}
