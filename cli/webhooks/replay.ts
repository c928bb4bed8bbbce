import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock webhooks replay <id> <event>` */
export function replayCommand(): Command {
  return apiCommand('replay', 'send an event once more', [
    'webhooks replay wh_1 evt_019cb4f3a2f0000000a1b2c3d4e5',
  ])
    .argument('<id>', 'as "restock webhooks list" shows it')
    .argument('<event>', 'as "restock webhooks deliveries" shows it')
    .action(replay)
}

async function replay(id: string, delivery: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const path = { id, delivery }
  const answer = await client.call('post', '/webhooks/{id}/deliveries/{delivery}/replay', { path })
  if (options.json) return printJson(answer)
  print(`${toSafeText(delivery)} is sent to ${toSafeText(id)} once more.`)
}
