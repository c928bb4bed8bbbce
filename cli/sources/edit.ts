import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { print, printJson } from '../output.ts'
import { printPrecedence, printSchedules } from './show.ts'
import type { Command } from 'commander'

interface Options {
  full?: string
  incremental?: string
  precedence?: number
  json?: true
}

/** `restock sources edit <id>` */
export function editCommand(): Command {
  return apiCommand('edit', 'show or change when an ERP is read and what leads', [
    'sources edit src_2',
    'sources edit src_2 --full "30 1 * * *" --incremental "*/20 6-20 * * 1-5"',
    'sources edit src_2 --full default --incremental off',
    'sources edit src_2 --precedence 1',
  ])
    .alias('schedule')
    .argument('<id>', 'the source, e.g. src_2')
    .option('--full <cron>', SCHEDULE)
    .option('--incremental <cron>', SCHEDULE)
    .option(
      '--precedence <n>',
      'the least leads where several have one SKU at one location; 100 unless set',
      wholeNumber(1, 9999),
    )
    .action(edit)
}

export const SCHEDULE = 'cron expression of five fields in UTC, "off" or "default"'

/** The schedule in the API's form: null for `default`. */
export const scheduleOf = (text: string | undefined) => (text === 'default' ? null : text)

async function edit(id: string, { json, full, incremental, precedence }: Options): Promise<void> {
  const client = openClient()
  const isSchedule = full !== undefined || incremental !== undefined
  const isChange = isSchedule || precedence !== undefined
  const schedules = { full: scheduleOf(full), incremental: scheduleOf(incremental) }
  const body = { ...(isSchedule && { schedules }), precedence }
  const answer = isChange
    ? await client.call('patch', '/sources/{id}', { path: { id }, body })
    : await client.call('get', '/sources/{id}', { path: { id } })
  if (json) return printJson(answer)
  const shown = dataOf(answer, ['id', 'type', 'account', 'status'])
  if (isSchedule) print(`Changed the schedules of ${shown.id}.`)
  if (precedence !== undefined) {
    print(`Changed the precedence of ${shown.id}: it counts from the next sync on.`)
  }
  printSchedules(shown)
  printPrecedence(shown)
}
