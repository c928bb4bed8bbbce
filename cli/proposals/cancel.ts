import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { type Reason, reasonOption } from './reasons.ts'
import type { Command } from 'commander'

/** `restock proposals cancel <id>` */
export function cancelCommand(): Command {
  return apiCommand('cancel', 'cancel an approved proposal that the ERP has no order for yet', [
    'proposals cancel prop_1042 --reason not_needed --comment "Ordered by phone"',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .addOption(reasonOption().makeOptionMandatory())
    .option('--comment <text>', 'kept in the history of the proposal')
    .action(cancel)
}

interface Options {
  reason: Reason
  comment?: string
  json?: true
}

async function cancel(id: string, { json, ...body }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/proposals/{id}/cancel', { path: { id }, body })
  if (json) return printJson(answer)
  print(`Cancelled ${toSafeText(id)}.`)
}
