import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Restock, RestockError, type Sync } from '../client/index.ts'
import { dataOf } from './answers.ts'
import { openClient } from './client.ts'
import { apiCommand } from './command.ts'
import { Failure } from './errors.ts'
import { note, print, printJson, printJsonLine } from './output.ts'
import { progressOf } from './progress.ts'
import { mayPass } from './refusals.ts'
import { readSources } from './sources/read.ts'
import { printSync, SYNC_FIELDS } from './syncs.ts'
import { toSafeText } from './text.ts'
import type { Command } from 'commander'
import type { Progress } from './progress.ts'

interface Options {
  source?: string
  full?: true
  wait: boolean
  json?: true
}

const FINISHED: Sync['status'][] = ['succeeded', 'partial', 'failed', 'cancelled']
const QUICK_POLLS = 10
/** Failed polls after which waiting ends; a sync continues after a restart of the server. */
const MAX_FAILED_POLLS = 30

/** `restock sync` */
export function syncCommand(): Command {
  return apiCommand('sync', 'read the ERP, then renew forecasts and proposals', [
    'sync',
    'sync --source src_1 --full',
    'sync --no-wait --json',
  ])
    .option(
      '--source <id>',
      'sync this source only; without it every connected source, one after the other',
    )
    .option('--full', 'read everything again, not only what changed')
    .option('--no-wait', 'only start the sync')
    .action(runSync)
}

async function runSync(options: Options): Promise<void> {
  const client = openClient()
  const ids = options.source === undefined ? await connectedSources(client) : [options.source]
  const showJson = ids.length > 1 ? printJsonLine : printJson
  for (const source of ids) {
    if (ids.length > 1) note(`Source ${toSafeText(source)}:`)
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
  const started = await client.call('post', '/sources/{id}/sync', {
    path: { id: source },
    body,
  })
  const { id } = dataOf(started, ['id'])
  if (!options.wait) {
    if (options.json) return showJson(started)
    return print(
      `Started ${toSafeText(id)}: follow it with "restock syncs show ${toSafeText(id)}".`,
    )
  }
  const ended = await follow(client, id)
  if (options.json) showJson(ended)
  else printSync(ended.data)
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

async function pollUntilEnd(
  client: Restock,
  id: string,
  progress: Progress,
): Promise<Answer<Sync>> {
  let lost = 0
  for (let poll = 0; ; poll++) {
    await sleep(poll < QUICK_POLLS ? 300 : 1000)
    try {
      const answer = await client.call('get', '/syncs/{id}', { path: { id } })
      const run = dataOf(answer, SYNC_FIELDS)
      lost = 0
      if (FINISHED.includes(run.status)) return answer
      progress.show(run)
    } catch (error) {
      const isTransient = error instanceof RestockError && mayPass(error)
      if (!isTransient || ++lost > MAX_FAILED_POLLS) throw error
    }
  }
}
