import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { printRights } from '../rights.ts'
import { tableOf } from '../table.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { Source } from '../../client/index.ts'

/** `restock sources show <id>` */
export function showCommand(): Command {
  return apiCommand('show', 'show a connected ERP: state, rights and schedules', [
    'sources show src_2',
  ])
    .argument('<id>', 'the source, e.g. src_2')
    .action(show)
}

async function show(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/sources/{id}', { path: { id } })
  if (options.json) return printJson(answer)
  printSource(dataOf(answer, ['id', 'type', 'account', 'status']))
}

function printSource(shown: Source): void {
  const { id, type, account, role, status, problem, last_sync: last } = shown
  print(toSafeText(`${id}: ${type} ${account}${role ? `, role ${role}` : ''}, ${status}.`))
  if (problem) print(toSafeText(problem.message))
  const finished = last?.finished_at ? ` at ${last.finished_at}` : ''
  print(toSafeText(last ? `Last sync ${last.id}: ${last.status}${finished}.` : 'No sync yet.'))
  if (shown.data_as_of)
    print(toSafeText(`Demand is complete up to the day before ${shown.data_as_of}.`))
  print('')
  printSchedules(shown)
  printPrecedence(shown)
  printRights(shown)
}

/** Prints the source's sync schedules. */
export function printSchedules({ schedules }: Source): void {
  if (!schedules) return
  const rows = Object.entries(schedules).map(([mode, schedule]) => ({ mode, ...schedule }))
  print(
    tableOf<(typeof rows)[number]>(
      [
        { head: 'Sync', value: (row) => row.mode },
        { head: 'Schedule', value: (row) => row.expression },
        { head: 'Set', value: (row) => (row.is_default ? 'by default' : 'for this source') },
        { head: 'Next run', value: (row) => row.next_run_at },
      ],
      rows,
    ),
  )
}

/** Prints which of several sources with one pair leads. */
export function printPrecedence({ precedence, led_by: ledBy = [] }: Source): void {
  if (precedence === undefined) return
  const led = ledBy.map(({ source_id, pairs }) => `${source_id} leads ${pairs} of its items`)
  print(toSafeText(`Precedence ${precedence}${led.map((text) => `; ${text}`).join('')}.`))
  if (led.length) print('What others lead is neither forecast nor proposed here.')
}

/** The time of the next scheduled sync. */
export function nextRunOf({ schedules }: Source): string | undefined {
  const times = Object.values(schedules ?? {}).flatMap((schedule) => schedule?.next_run_at ?? [])
  return times.sort()[0]
}
