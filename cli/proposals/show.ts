import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { layoutOf } from './layout.ts'
import type { Command } from 'commander'

/** `restock proposals show <id>` */
export function showCommand(): Command {
  return apiCommand('show', 'show a proposal and why it was made', ['proposals show prop_1042'])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .action(show)
}

async function show(id: string, { json }: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/proposals/{id}', { path: { id } })
  if (json) return printJson(answer)
  const shown = dataOf(answer, ['id', 'version', 'quantity', 'status', 'calculation'])
  layoutOf([shown], true).forEach(print)
}
