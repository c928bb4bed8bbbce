import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock webhooks remove <id>` */
export function removeCommand(): Command {
  return apiCommand('remove', 'send no more events to an address; its deliveries go too', [
    'webhooks remove wh_1',
  ])
    .argument('<id>', 'as "restock webhooks list" shows it')
    .action(remove)
}

async function remove(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('delete', '/webhooks/{id}', { path: { id } })
  if (options.json) return printJson(answer)
  print(`Removed ${toSafeText(id)}.`)
}
