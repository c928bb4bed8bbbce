import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

interface Options {
  quantity?: number
  comment?: string
  expectedVersion?: number
  json?: true
}

/** `restock proposals approve <id>` */
export function approveCommand(): Command {
  return apiCommand('approve', 'approve a proposal, as it is or with another quantity', [
    'proposals approve prop_1042',
    'proposals approve prop_1042 --quantity 160 --comment "promotion in week 49"',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .option('--quantity <units>', 'order this quantity instead', wholeNumber(1))
    .option('--comment <text>', 'kept in the history of the proposal')
    .option(
      '--expected-version <n>',
      'refuse if the proposal has changed since this version',
      wholeNumber(1),
    )
    .action(approve)
}

async function approve(id: string, options: Options): Promise<void> {
  const client = openClient()
  const body = {
    quantity: options.quantity,
    comment: options.comment,
    expected_version: options.expectedVersion,
  }
  const answer = await client.call('post', '/proposals/{id}/approve', { path: { id }, body })
  if (options.json) return printJson(answer)
  const { quantity, sku, location, status } = dataOf(answer, [
    'quantity',
    'sku',
    'location',
    'status',
  ])
  const what = `${toSafeText(id)}: ${quantity} of ${toSafeText(sku)} at ${toSafeText(location)}`
  print(
    status === 'awaiting_second_approval'
      ? `Approved ${what}, now waiting for a second approver.`
      : `Approved ${what}.`,
  )
}
