import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { printSchedules } from './show.ts'
import type { Command } from 'commander'

interface Options {
  full?: string
  incremental?: string
  json?: true
}

/** `restock sources edit <id>` */
export function editCommand(): Command {
  return apiCommand('edit', 'show or change when an ERP is read', [
    'sources edit src_2',
    'sources edit src_2 --full "30 1 * * *" --incremental "*/20 6-20 * * 1-5"',
    'sources edit src_2 --full default --incremental off',
  ])
    .alias('schedule')
    .argument('<id>', 'the source, e.g. src_2')
    .option('--full <cron>', SCHEDULE)
    .option('--incremental <cron>', SCHEDULE)
    .action(edit)
}

export const SCHEDULE = 'cron expression of five fields in UTC, "off" or "default"'

/** The schedule in the API's form: null for `default`. */
export const scheduleOf = (text: string | undefined) => (text === 'default' ? null : text)

async function edit(id: string, { json, full, incremental }: Options): Promise<void> {
  const client = openClient()
  const isChange = full !== undefined || incremental !== undefined
  const body = { schedules: { full: scheduleOf(full), incremental: scheduleOf(incremental) } }
  const answer = isChange
    ? await client.call('patch', '/sources/{id}', { path: { id }, body })
    : await client.call('get', '/sources/{id}', { path: { id } })
  if (json) return printJson(answer)
  const shown = dataOf(answer, ['id', 'type', 'account', 'status'])
  if (isChange) print(`Changed the schedules of ${shown.id}.`)
  printSchedules(shown)
}
