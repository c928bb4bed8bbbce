import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { addOption } from './option.ts'
import { printFiles } from './files.ts'
import { print, printJson } from '../output.ts'
import { printPrecedence, printSchedules } from './show.ts'
import type { Command } from 'commander'

interface Options {
  full?: string
  incremental?: string
  precedence?: number
  option?: Record<string, string>
  json?: true
}

/** `restock sources edit <id>` */
export function editCommand(): Command {
  return apiCommand('edit', 'show or change when an ERP is read and what leads', [
    'sources edit src_2',
    'sources edit src_2 --full "30 1 * * *" --incremental "*/20 6-20 * * 1-5"',
    'sources edit src_2 --full default --incremental off',
    'sources edit src_2 --precedence 1',
    'sources edit src_2 --option date_format=DD/MM/YYYY --option decimal=',
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
    .option(
      '--option <name=value>',
      'setting of a source of files; nothing after the = removes it; repeatable',
      addOption,
    )
    .action(edit)
}

export const SCHEDULE =
  'cron expression of five fields in the time zone of the source, "off" or "default"'

/** The schedule in the API's form: null for `default`. */
export const scheduleOf = (text: string | undefined) => (text === 'default' ? null : text)

async function edit(id: string, options: Options): Promise<void> {
  const { json, full, incremental, precedence, option } = options
  const client = openClient()
  const isSchedule = full !== undefined || incremental !== undefined
  const isChange = isSchedule || precedence !== undefined || option !== undefined
  const schedules = { full: scheduleOf(full), incremental: scheduleOf(incremental) }
  const body = { ...(isSchedule && { schedules }), precedence, options: changesOf(option) }
  const answer = isChange
    ? await client.call('patch', '/sources/{id}', { path: { id }, body })
    : await client.call('get', '/sources/{id}', { path: { id } })
  if (json) return printJson(answer)
  const shown = dataOf(answer, ['id', 'type', 'account', 'status'])
  if (isSchedule) print(`Changed the schedules of ${shown.id}.`)
  if (precedence !== undefined) {
    print(`Changed the precedence of ${shown.id}: it counts from the next sync on.`)
  }
  if (option) {
    print(`Changed the options of ${shown.id}. Its files are read so:`)
    printFiles(shown)
    print(`What was read before: restock sync --source ${shown.id} --full`)
  }
  printSchedules(shown)
  printPrecedence(shown)
}

/** An empty value removes the option. */
const changesOf = (options: Options['option']) =>
  options &&
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value || null]))
