import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Restock, RestockError, type Sync } from '../client/index.ts'
import { dataOf, openClient, readSources } from './client.ts'
import { apiCommand, callCommand, group, type Json, option } from './command.ts'
import { Failure } from './errors.ts'
import { count, note, print, printJson, printJsonLine } from './output.ts'
import { type Progress, progressOf } from './progress.ts'
import { mayPass } from './refusals.ts'
import { type Column, linesOf } from './table.ts'

interface Options extends Json {
  source?: string
  full?: true
  wait: boolean
}

const FINISHED: Sync['status'][] = ['succeeded', 'partial', 'failed', 'cancelled']
const QUICK_POLLS = 10
/** Failed polls after which waiting ends; a sync continues after a restart of the server. */
const MAX_FAILED_POLLS = 30

const NEEDS: (keyof Sync)[] = ['id', 'mode', 'status', 'progress', 'issues']

/** `restock sync` */
export const syncCommand = () =>
  apiCommand({
    name: 'sync',
    summary: 'read the ERP, then renew forecasts and proposals',
    examples: ['sync', 'sync --source src_1 --full', 'sync --no-wait --json'],
    options: [
      option(
        '--source <id>',
        'sync this source only; without it every connected source, one after the other',
      ),
      option('--full', 'read everything again, not only what changed'),
      option('--no-wait', 'only start the sync'),
    ],
    run: runSync,
  })

/** `restock syncs show <id>` */
export const syncsCommand = () =>
  group('syncs', 'show syncs', [
    callCommand({
      name: 'show',
      summary: 'show the progress or result of a sync',
      examples: ['syncs show sync_7'],
      args: { '<id>': 'the sync, e.g. sync_7' },
      call: (_options, id) => openClient().call('get', '/syncs/{id}', { path: { id } }),
      needs: NEEDS,
      tell: syncOf,
    }),
  ])

async function runSync(options: Options): Promise<void> {
  const client = openClient()
  const ids = options.source === undefined ? await connectedSources(client) : [options.source]
  const showJson = ids.length > 1 ? printJsonLine : printJson
  for (const source of ids) {
    if (ids.length > 1) note(`Source ${source}:`)
    await syncOne(client, source, options, showJson)
  }
}

/** Syncs a source and waits for the end, as the options say. */
export async function syncOne(
  client: Restock,
  source: string,
  options: Options,
  showJson: (answer: Answer<Sync>) => void,
): Promise<void> {
  const body = { mode: options.full ? ('full' as const) : ('incremental' as const) }
  const path = { id: source }
  const started = await client.call('post', '/sources/{id}/sync', { path, body })
  const { id } = dataOf(started, ['id'])
  if (!options.wait) {
    if (options.json) return showJson(started)
    return print(`Started ${id}: follow it with "restock syncs show ${id}".`)
  }
  const ended = await follow(client, id)
  if (options.json) showJson(ended)
  else print(...syncOf(ended.data))
  if (ended.data.status !== 'succeeded') process.exitCode = 1
}

/** The sources that can be read, oldest first; the demo only if there is no other. */
async function connectedSources(client: Restock): Promise<string[]> {
  const sources = await readSources(client)
  const readable = sources.filter(({ status }) => status === 'connected' || status === 'failing')
  const own = readable.filter(({ demo }) => !demo)
  const ids = (own.length ? own : readable).map(({ id }) => id)
  if (ids.length) return ids.reverse()
  throw new Failure(
    sources.length
      ? 'No source has its consent yet: see "restock sources list".'
      : 'No source is connected: connect one first, see "restock connect --help".',
  )
}

/** Shows the progress of a sync until it ends. @returns its final state */
async function follow(client: Restock, id: string): Promise<Answer<Sync>> {
  const progress = progressOf(process.stderr)
  const leave = () => {
    progress.stop()
    note(`The sync goes on: follow it with "restock syncs show ${id}".`)
    process.exit(130)
  }
  process.once('SIGINT', leave)
  try {
    return await pollUntilEnd(client, id, progress)
  } finally {
    progress.stop()
    process.removeListener('SIGINT', leave)
  }
}

async function pollUntilEnd(client: Restock, id: string, progress: Progress) {
  let lost = 0
  for (let poll = 0; ; poll++) {
    await sleep(poll < QUICK_POLLS ? 300 : 1000)
    try {
      const answer = await client.call('get', '/syncs/{id}', { path: { id } })
      const run = dataOf(answer, NEEDS)
      lost = 0
      if (FINISHED.includes(run.status)) return answer
      progress.show(run)
    } catch (error) {
      const isTransient = error instanceof RestockError && mayPass(error)
      if (!isTransient || ++lost > MAX_FAILED_POLLS) throw error
    }
  }
}

/** State, counts and issues of a sync. */
function syncOf(run: Sync): string[] {
  const { id, mode, counts, issues, notes = [] } = run
  const lines = [`Sync ${id} (${mode}): ${stateOf(run)}.`]
  if (counts)
    lines.push(
      `${counts.read} read, ${counts.upserted} upserted, ${counts.unchanged} unchanged, ` +
        `${counts.quarantined} quarantined, ${counts.deleted} deleted.`,
    )
  return [...lines, ...issuesOf(id, issues, 'issue'), ...issuesOf(id, notes, 'note')]
}

type Issue = Sync['issues'][number]

const MAX_ISSUES = 20
const ISSUES: Column<Issue>[] = [
  ['Stream', (row) => row.stream],
  ['Place', (row) => row.key],
  ['Code', (row) => row.code],
  ['Message', (row) => row.message],
]

/** Of rows with the same code in the same stream what it means is said once. */
function issuesOf(id: string, issues: Issue[], name: 'issue' | 'note'): string[] {
  if (!issues.length) return []
  const rest = issues.length - MAX_ISSUES
  const meanings = issues
    .filter(({ impact }) => impact)
    .map(({ code, stream, impact, remedy }) => `${code} (${stream ?? ''}): ${impact} ${remedy}`)
  return [
    `${count(issues.length, name)}:`,
    ...linesOf(ISSUES, issues.slice(0, MAX_ISSUES)),
    ...(rest > 0 ? [`and ${rest} more: restock syncs show ${id} --json`] : []),
    ...new Set(meanings),
  ]
}

function stateOf({ status, phase, progress, started_at, finished_at }: Sync): string {
  if (finished_at && started_at) {
    const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
    return `${status} in ${Math.max(0, Math.round(seconds))} s`
  }
  if (status !== 'running') return status
  const of = progress.total ? ` of ${progress.total}` : ''
  return `${status}, ${phase ?? ''} ${progress.done}${of} ${progress.unit ?? ''}`.trimEnd()
}
