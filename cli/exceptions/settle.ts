import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock exceptions settle <id>` */
export function settleCommand(): Command {
  return apiCommand('settle', 'take an exception off the list for as long as it holds', [
    'exceptions settle exc_12',
    'exceptions settle exc_12 --comment "arrives on Monday"',
  ])
    .argument('<id>', 'the exception, e.g. exc_12')
    .option('--comment <text>', 'kept with the exception and in the audit trail')
    .action(settle)
}

interface Options {
  comment?: string
  json?: true
}

async function settle(id: string, { json, ...body }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/exceptions/{id}/settle', { path: { id }, body })
  if (json) return printJson(answer)
  const { kind, sku, location } = dataOf(answer, ['kind', 'sku', 'location'])
  print(toSafeText(`Settled ${id}: ${kind.replaceAll('_', ' ')}, ${sku} at ${location}.`))
}
