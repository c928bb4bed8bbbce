import type { Command } from 'commander'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'

/** `restock overrides remove` */
export function removeCommand(): Command {
  return apiCommand('remove', 'remove a forecast override that is not over', [
    'overrides remove ovr_12',
  ])
    .argument('<id>')
    .action(remove)
}

async function remove(id: string, { json }: { json?: true }): Promise<void> {
  const answer = await openClient().call('delete', '/forecast-overrides/{id}', { path: { id } })
  if (json) return printJson(answer)
  print(toSafeText(`Removed ${id}.`))
}
