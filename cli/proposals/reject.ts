import { Option } from 'commander'
import { openClient } from '../client.ts'
import { apiCommand, segment } from '../command.ts'
import { print, printJson } from '../output.ts'
import { safe } from '../text.ts'
import type { Command } from 'commander'

const REASONS = [
  'not_needed',
  'too_much',
  'too_early',
  'wrong_supplier',
  'price',
  'discontinued',
  'other',
]

/** `restock proposals reject <id>` */
export function rejectCommand(): Command {
  return apiCommand('reject', 'reject a proposal; it stays readable', [
    'proposals reject prop_1042 --reason too_much',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .addOption(new Option('--reason <code>', 'why').choices(REASONS))
    .action(reject)
}

async function reject(id: string, options: { reason?: string; json?: true }): Promise<void> {
  const client = await openClient()
  const query = { reason: options.reason }
  const answer = await client.call('DELETE', `/proposals/${segment(id)}`, { query })
  if (options.json) return printJson(answer)
  print(`Rejected ${safe(id)}.`)
}
