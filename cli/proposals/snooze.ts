import { InvalidArgumentError } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

/** `restock proposals snooze <id>` */
export function snoozeCommand(): Command {
  return apiCommand('snooze', 'put a proposal off until a day; a change of its need wakes it', [
    'proposals snooze prop_1042 --until 2026-12-01',
    'proposals snooze prop_1042 --until 2026-12-01T06:00:00Z',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .requiredOption('--until <day>', 'a day (its beginning in UTC), or an instant', instantOf)
    .action(snooze)
}

function instantOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T.+Z)?$/.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError('It must be a day such as 2026-12-01, or an instant in UTC.')
}

async function snooze(id: string, { json, until }: { json?: true; until: string }): Promise<void> {
  const client = openClient()
  const body = { until }
  const answer = await client.call('post', '/proposals/{id}/snooze', { path: { id }, body })
  if (json) return printJson(answer)
  const { snoozed_until: end } = dataOf(answer, ['id', 'status'])
  print(`Snoozed ${toSafeText(id)} until ${toSafeText(end ?? until)}.`)
}
