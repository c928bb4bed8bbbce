import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { type Reason, reasonOption } from './reasons.ts'
import type { Command } from 'commander'

/** `restock proposals reject <id>` */
export function rejectCommand(): Command {
  return apiCommand('reject', 'reject a proposal; it stays readable', [
    'proposals reject prop_1042 --reason too_much',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .addOption(reasonOption())
    .option('--comment <text>', 'kept in the history of the proposal')
    .action(reject)
}

interface Options {
  reason?: Reason
  comment?: string
  json?: true
}

async function reject(id: string, { json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('delete', '/proposals/{id}', { path: { id }, query })
  if (json) return printJson(answer)
  print(`Rejected ${toSafeText(id)}.`)
}
