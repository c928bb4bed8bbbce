import { RestockError } from '../../client/index.ts'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { confirms } from '../confirm.ts'
import { Failure, WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { decideAll } from './decide-all.ts'
import { layoutOf } from './layout.ts'
import { isOfMany, type ManyOptions, manyOptions } from './many.ts'
import type { Command } from 'commander'
import type { Proposal, Restock } from '../../client/index.ts'

interface Options extends ManyOptions {
  quantity?: number
  expectedVersion?: number
}

/** `restock proposals approve <id>`, and `approve --all` with filters */
export function approveCommand(): Command {
  const command = apiCommand(
    'approve',
    'approve a proposal, or all that filters choose, as shown',
    [
      'proposals approve prop_1042',
      'proposals approve prop_1042@7 --quantity 160 --comment "promotion in week 49"',
      'proposals approve --all --due --supplier S-7',
    ],
  )
    .argument('[id]', 'the proposal, e.g. prop_1042; prop_1042@7 as its version 7 was seen')
    .option('--quantity <units>', 'order this quantity instead', wholeNumber(1))
    .option('--comment <text>', 'kept in the history of the proposal')
    .option(
      '--expected-version <n>',
      'refuse if the proposal has changed since this version',
      wholeNumber(1),
    )
  return manyOptions(command, APPROVING).action(approve)
}

const APPROVING = {
  decision: { action: 'approve' as const },
  verb: 'Approve',
  done: 'Approved',
}

async function approve(id: string | undefined, options: Options): Promise<void> {
  if (!isOfMany(id, options)) return approveOne(id!, options)
  if (options.quantity ?? options.expectedVersion) {
    throw new WrongUsage('--quantity and --expected-version are for one proposal, not for --all.')
  }
  await decideAll(options, APPROVING)
}

async function approveOne(given: string, options: Options): Promise<void> {
  const client = openClient()
  const [, id = given, seen] = /^(prop_\d+)@(\d{1,9})$/.exec(given) ?? []
  const shown = await show(client, id)
  if (shown && !options.yes && !(await confirms('Approve it?'))) throw new Failure('Left as it is.')
  const body = {
    quantity: options.quantity,
    comment: options.comment,
    expected_version: options.expectedVersion ?? (seen ? Number(seen) : shown?.version),
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

/** What is about to be approved; undefined where the key may not read it, or the approval will say what is wrong. */
async function show(client: Restock, id: string): Promise<Proposal | undefined> {
  try {
    const answer = await client.call('get', '/proposals/{id}', { path: { id } })
    const shown = dataOf(answer, ['id', 'version', 'quantity', 'status', 'calculation'])
    layoutOf([shown], false).forEach(note)
    return shown
  } catch (error) {
    if (!(error instanceof RestockError)) throw error
    if (error.code === 'insufficient_scope') {
      note('The key may not read proposals: what is approved is the proposal as it stands now.')
    }
    return undefined
  }
}
