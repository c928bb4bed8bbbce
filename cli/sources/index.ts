import type { Command } from 'commander'
import type { Source } from '../../client/index.ts'
import { type Body, dataOf, openClient, readSources } from '../client.ts'
import { apiCommand, callCommand, group, type Json, option, wholeNumber } from '../command.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { type Column, linesOf } from '../table.ts'
import { confirms } from '../terminal.ts'
import { filesOf, neededRightsOf, nextRunOf, precedenceOf, schedulesOf, sourceOf } from './show.ts'
import { addSetting, SCHEDULE, scheduleOf } from './settings.ts'
import { typesCommand } from './types.ts'

const ID = { '<id>': 'the source, e.g. src_2' }
const NEEDS: (keyof Source)[] = ['id', 'type', 'account', 'status']

/** `restock sources …` */
export const sourcesCommand = (): Command =>
  group('sources', 'show, change, check and remove connected ERPs', [
    apiCommand({
      name: 'list',
      summary: 'list the connected ERPs',
      examples: ['sources list'],
      run: list,
    }),
    callCommand({
      name: 'show',
      summary: 'show a connected ERP: state, rights and schedules',
      examples: ['sources show src_2'],
      args: ID,
      call: (_options, id) => openClient().call('get', '/sources/{id}', { path: { id } }),
      needs: NEEDS,
      tell: sourceOf,
    }),
    callCommand({
      name: 'edit',
      summary: 'show or change when an ERP is read and what leads',
      examples: [
        'sources edit src_2',
        'sources edit src_2 --full "30 1 * * *" --incremental "*/20 6-20 * * 1-5"',
        'sources edit src_2 --full default --incremental off',
        'sources edit src_2 --precedence 1',
        'sources edit src_2 --option date_format=DD/MM/YYYY --option decimal=',
      ],
      args: ID,
      options: [
        option('--full <cron>', SCHEDULE),
        option('--incremental <cron>', SCHEDULE),
        option(
          '--precedence <n>',
          'the least leads where several have one SKU at one location; 100 unless set',
          wholeNumber(1, 9999),
        ),
        option(
          '--option <name=value>',
          'setting of a source of files; nothing after the = removes it; repeatable',
          addSetting,
        ),
      ],
      call: edit,
      needs: NEEDS,
      tell: tellEdited,
    }).alias('schedule'),
    callCommand({
      name: 'check',
      summary: 'check which streams of an ERP can be read',
      examples: ['sources check src_2'],
      args: ID,
      async call(_options, id) {
        const answer = await openClient().call('post', '/sources/{id}/check', { path: { id } })
        const { streams = [] } = dataOf(answer, NEEDS)
        const isClosed = streams?.some(({ status }) => ['forbidden', 'failed'].includes(status))
        if (isClosed) process.exitCode = 1
        return answer
      },
      tell: (checked) => [
        ...neededRightsOf(checked),
        ...linesOf(STREAMS, checked.streams ?? []),
        ...filesOf(checked),
      ],
    }),
    typesCommand(),
    apiCommand({
      name: 'remove',
      summary: 'disconnect an ERP: its rights, data and open proposals go',
      examples: ['sources remove src_2', 'sources remove src_1 --yes'],
      args: ID,
      options: [option('--yes', 'do not ask')],
      run: remove,
    }),
  ])

async function list({ json }: Json): Promise<void> {
  const client = openClient()
  if (json) return printJson(await client.call('get', '/sources'))
  const sources = await readSources(client)
  if (!sources.length) return note('No source is connected: see "restock connect --help".')
  print(...linesOf(SOURCES, sources))
}

const SOURCES: Column<Source>[] = [
  ['ID', (row) => row.id],
  ['Type', (row) => row.type],
  ['Account', (row) => row.account],
  ['Role', (row) => row.role],
  ['Status', (row) => row.status],
  ['Last sync', (row) => row.last_sync?.id],
  ['Result', (row) => row.last_sync?.status],
  ['Finished', (row) => row.last_sync?.finished_at],
  ['Data as of', (row) => row.data_as_of],
  ['Next run', nextRunOf],
]

const STREAMS: Column<NonNullable<Source['streams']>[number]>[] = [
  ['Stream', (row) => row.stream],
  ['Now', (row) => row.status],
  ['Why', (row) => row.message],
]

interface EditOptions {
  full?: string
  incremental?: string
  precedence?: number
  option?: Record<string, string>
}

const isSchedule = ({ full, incremental }: EditOptions) =>
  full !== undefined || incremental !== undefined

function edit(options: EditOptions, id: string) {
  const { full, incremental, precedence, option } = options
  const path = { id }
  const isChange = isSchedule(options) || precedence !== undefined || option !== undefined
  if (!isChange) return openClient().call('get', '/sources/{id}', { path })
  const body: Body<'patch', '/sources/{id}'> = { precedence }
  if (isSchedule(options))
    body.schedules = { full: scheduleOf(full), incremental: scheduleOf(incremental) }
  // An empty value removes the setting.
  const settings = Object.entries(option ?? {}).map(
    ([name, value]) => [name, value || null] as const,
  )
  if (option) body.options = Object.fromEntries(settings)
  return openClient().call('patch', '/sources/{id}', { path, body })
}

function tellEdited(shown: Source, options: EditOptions): string[] {
  const { id } = shown
  const lines: string[] = []
  if (isSchedule(options)) lines.push(`Changed the schedules of ${id}.`)
  if (options.precedence !== undefined)
    lines.push(`Changed the precedence of ${id}: it counts from the next sync on.`)
  if (options.option)
    lines.push(
      `Changed the options of ${id}. Its files are read so:`,
      ...filesOf(shown),
      `What was read before: restock sync --source ${id} --full`,
    )
  return [...lines, ...schedulesOf(shown), ...precedenceOf(shown)]
}

async function remove({ yes, json }: Json & { yes?: true }, id: string): Promise<void> {
  const client = openClient()
  const path = { id }
  const found = await client.call('get', '/sources/{id}', { path })
  const { type, account } = dataOf(found, ['type', 'account'])
  note(`${id}: ${type} ${account}.`)
  if (!yes && !(await confirms('Disconnect it, and remove what was read from it?'))) {
    throw new Failure('Left as it is.')
  }
  const answer = await client.call('delete', '/sources/{id}', { path })
  if (json) return printJson(answer)
  print(`Removed ${id}.`)
}
