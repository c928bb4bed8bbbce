import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { decideAll } from './decide-all.ts'
import { type Reason, reasonOption } from './reasons.ts'
import { isOfMany, type ManyOptions, manyOptions } from './many.ts'
import type { Command } from 'commander'

interface Options extends ManyOptions {
  reason?: Reason
}

const REJECTING = { verb: 'Reject', done: 'Rejected' }

/** `restock proposals reject <id>`, and `reject --all` with filters */
export function rejectCommand(): Command {
  const command = apiCommand('reject', 'reject a proposal, or all that filters choose, as shown', [
    'proposals reject prop_1042 --reason too_much',
    'proposals reject --all --supplier S-7 --reason wrong_supplier',
  ])
    .argument('[id]', 'the proposal, e.g. prop_1042')
    .addOption(reasonOption())
    .option('--comment <text>', 'kept in the history of the proposal')
  return manyOptions(command, REJECTING).action(reject)
}

async function reject(id: string | undefined, options: Options): Promise<void> {
  const { reason, comment, json } = options
  if (isOfMany(id, options)) {
    return decideAll(options, { decision: { action: 'reject', reason }, ...REJECTING })
  }
  const client = openClient()
  const input = { path: { id: id! }, query: { reason, comment } }
  const answer = await client.call('delete', '/proposals/{id}', input)
  if (json) return printJson(answer)
  print(`Rejected ${toSafeText(id!)}.`)
}
