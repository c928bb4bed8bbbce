import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock keys revoke <id>` */
export function revokeCommand(): Command {
  return apiCommand('revoke', 'revoke a key; it is refused everywhere within 30 seconds', [
    'keys revoke k7d2m',
  ])
    .argument('<id>', 'as "restock keys list" shows it')
    .action(revoke)
}

async function revoke(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('delete', '/keys/{id}', { path: { id } })
  if (options.json) return printJson(answer)
  print(`Revoked ${toSafeText(id)}.`)
}
