import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { type KeyOptions, keyOf, nameOf, withKey } from './key.ts'
import type { Command } from 'commander'

/** `restock policies remove` */
export function removeCommand(): Command {
  const command = apiCommand('remove', 'remove an ordering rule', ['policies remove --sku A-100'])
  return withKey(command).action(remove)
}

async function remove(options: KeyOptions & { json?: true }): Promise<void> {
  const key = keyOf(options)
  const client = openClient()
  const answer = await client.call('delete', '/policies', { query: key })
  if (options.json) return printJson(answer)
  print(toSafeText(`Removed the rule for ${nameOf(key)}.`))
}
