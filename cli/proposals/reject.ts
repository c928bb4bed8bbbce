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
    .option('--comment <text>', 'kept in the history of the proposal')
    .action(reject)
}

interface Options {
  reason?: string
  comment?: string
  json?: true
}

async function reject(id: string, { json, ...query }: Options): Promise<void> {
  const client = await openClient()
  const answer = await client.call('DELETE', `/proposals/${segment(id)}`, { query })
  if (json) return printJson(answer)
  print(`Rejected ${safe(id)}.`)
}
