// What is known of a source, as lines.
import type { Source } from '../../client/index.ts'
import { DATE_FORMATS, type DateFormat } from '../../tables/dates.ts'
import { linesOf } from '../table.ts'

export function sourceOf(shown: Source): string[] {
  const { id, type, account, role, status, problem, last_sync: last, data_as_of: day } = shown
  const finished = last?.finished_at ? ` at ${last.finished_at}` : ''
  return [
    `${id}: ${type} ${account}${role ? `, role ${role}` : ''}, ${status}.`,
    ...(problem ? [problem.message] : []),
    last ? `Last sync ${last.id}: ${last.status}${finished}.` : 'No sync yet.',
    ...(day ? [`Demand is complete up to the day before ${day}.`] : []),
    '',
    ...schedulesOf(shown),
    ...precedenceOf(shown),
    ...rightsOf(shown),
  ]
}

export function schedulesOf({ schedules }: Source): string[] {
  if (!schedules) return []
  const rows = Object.entries(schedules).map(([mode, schedule]) => ({ mode, ...schedule }))
  return linesOf<(typeof rows)[number]>(
    [
      ['Sync', (row) => row.mode],
      ['Schedule', (row) => row.expression],
      ['Set', (row) => (row.is_default ? 'by default' : 'for this source')],
      ['Next run', (row) => row.next_run_at],
    ],
    rows,
  )
}

/** Which of several sources with one pair leads. */
export function precedenceOf({ precedence, led_by: ledBy = [] }: Source): string[] {
  if (precedence === undefined) return []
  const led = ledBy.map(({ source_id, pairs }) => `; ${source_id} leads ${pairs} of its items`)
  return [
    `Precedence ${precedence}${led.join('')}.`,
    ...(led.length ? ['What others lead is neither forecast nor proposed here.'] : []),
  ]
}

/** The needed and the granted rights, and the streams that cannot be read. */
export function rightsOf(source: Source): string[] {
  const closed = closedStreamsOf(source).map(
    ({ stream, status, message }) => `  ${stream}: ${status}${message ? `, ${message}` : ''}`,
  )
  const head = closed.length ? ['', 'Streams that cannot be read:'] : []
  return [...neededRightsOf(source), ...head, ...closed, '']
}

export const closedStreamsOf = ({ streams }: Source) =>
  streams?.filter(({ status }) => status === 'forbidden' || status === 'failed') ?? []

export function neededRightsOf({ needed_rights: needed, granted_rights }: Source): string[] {
  if (!needed?.length) return []
  const granted = new Set(granted_rights ?? [])
  const count = needed.filter((right) => granted.has(right)).length
  return [
    '',
    `Granted rights: ${count} of ${needed.length}`,
    ...linesOf<string>(
      [
        ['Needed', (right) => right],
        ['Granted', (right) => (granted.has(right) ? right : 'NOT GRANTED')],
      ],
      needed,
    ),
  ]
}

/** The time of the next scheduled sync. */
export function nextRunOf({ schedules }: Source): string | undefined {
  const times = Object.values(schedules ?? {}).flatMap((schedule) => schedule?.next_run_at ?? [])
  return times.sort()[0]
}

const readFilesOf = ({ streams }: Source) =>
  streams?.filter(({ preview, notes }) => preview?.length || notes?.length) ?? []

/** Whether it is a source of files, of which something is known. */
export const hasFiles = (source: Source): boolean => readFilesOf(source).length > 0

/** The first rows of each file as they are understood, and what to look at. */
export function filesOf(source: Source): string[] {
  if (!hasFiles(source)) return []
  const files = readFilesOf(source)
  const format = otherDateFormat(files.flatMap(({ notes }) => notes ?? []))
  return [
    ...files.flatMap(({ stream, preview, notes }) => [
      `${stream}:`,
      ...(preview ?? []).map((row) => `  ${row}`),
      ...(notes ?? []).map((each) => `  Note: ${each}`),
    ]),
    `If that is wrong: restock sources edit ${source.id} --option date_format=${format}`,
    '(or --option decimal=,), or correct the files.',
    '',
  ]
}

/** The format to try: the other order of day and month where there is one, else the one that was found. */
function otherDateFormat(notes: string[]): DateFormat {
  const found = DATE_FORMATS.find((format) => notes.some((note) => note.includes(format)))
  if (found === 'DD/MM/YYYY') return 'MM/DD/YYYY'
  return found === 'MM/DD/YYYY' ? 'DD/MM/YYYY' : (found ?? 'DD.MM.YYYY')
}
