import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock webhooks rotate <id>` */
export function rotateCommand(): Command {
  return apiCommand('rotate', 'replace a secret; for 24 hours calls are signed with both', [
    'webhooks rotate wh_1',
  ])
    .argument('<id>', 'as "restock webhooks list" shows it')
    .action(rotate)
}

async function rotate(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/webhooks/{id}/rotate', { path: { id } })
  if (options.json) return printJson(answer)
  const { secret, old_secret_expires_at: until } = dataOf(answer, ['secret'])
  note(`The new secret is shown only once; the old one ends at ${until}:`)
  print(toSafeText(secret))
}
