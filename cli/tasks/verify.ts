import { z } from 'zod'
import { command, group, helpOf, type Json, option, wholeNumber } from '../command.ts'
import { Failure } from '../errors.ts'
import { baseUrl, isLoopback } from '../key.ts'
import { note, print, printDocument } from '../output.ts'
import { type Column, linesOf } from '../table.ts'
import { capabilities, definition, error, Provider, task, type Task } from './provider.ts'

/** Which tasks are pulled, and how. */
interface Pulling {
  top: number
  days: number
  languages: string
}

type Options = Pulling & Json & { url?: string }

const TOKEN = 'RESTOCK_TASK_CENTER_TOKEN'
const DAY_MS = 86_400_000
const SHOWN = 5

/** `restock tasks verify` */
export const tasksCommand = () =>
  group('tasks', "approval tasks in the ERP's own inbox", [
    command({
      name: 'verify',
      summary:
        'call a running service like SAP Task Center does, and print the tasks that it would see',
      options: [
        option(
          '--url <address>',
          'the provider (default: /task-provider/v2 on the server of RESTOCK_URL)',
        ),
        option('--top <number>', 'tasks per page', wholeNumber(1, 1000), 1000),
        option('--days <number>', 'how far back the first pull goes', wholeNumber(0, 180), 90),
        option('--languages <codes>', 'languages of the texts', undefined, 'en-US,de-DE'),
        option('--json', 'print the result as JSON'),
      ],
      run: verify,
    }).addHelpText(
      'after',
      `\nThe technical user's token is taken from ${TOKEN}; on a developer's machine none is needed.\n` +
        helpOf([
          'tasks verify',
          'tasks verify --url https://restock.example.com/task-provider/v2 --days 1',
        ]),
    ),
  ])

interface Check {
  what: string
  ok: boolean
}

async function verify({ url, json, ...pulling }: Options): Promise<void> {
  const { languages } = pulling
  const address = addressOf(url)
  const provider = await Provider.open(address, authorizationFor(address))
  const offered = await provider.read('/capabilities', capabilities)
  const list = z.object({ value: z.array(definition) })
  const definitions = await provider.read('/taskDefinitions', list, { languages })
  const { tasks, pages, slowest } = await pull(provider, pulling)
  const checks = await check(provider, tasks, languages)
  const failed = checks.filter(({ ok }) => !ok)
  const byStatus = Map.groupBy(tasks, ({ status }) => status)
  const counts = Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]))
  if (json) {
    const found = { tasks: tasks.length, pages, slowest_ms: Math.round(slowest), counts, checks }
    printDocument(JSON.stringify({ capabilities: offered.value, ...found }))
  } else {
    for (const { name, value } of offered.value) note(`${name}: ${value}`)
    for (const { urn, name } of definitions.value) print(`${name[0]!.text}  ${urn}`)
    print(`${tasks.length} tasks in ${pages} pages, the slowest in ${Math.round(slowest)} ms`)
    for (const [status, number] of Object.entries(counts)) print(`  ${status.padEnd(17)} ${number}`)
    if (tasks.length) print('', ...linesOf(COLUMNS, tasks.slice(-SHOWN).reverse()))
    for (const { what, ok } of checks) print(`${ok ? 'ok    ' : 'FAILED'} ${what}`)
  }
  if (failed.length) throw new Failure(`${failed.length} of ${checks.length} checks failed.`)
}

const COLUMNS: Column<Task>[] = [
  ['Newest', ({ localId }) => localId],
  ['Status', ({ status }) => status],
  ['Priority', ({ priority }) => priority],
  ['Due', ({ dueAt }) => dueAt?.slice(0, 10)],
  ['Subject', ({ subject }) => subject[0]!.text],
  ['Groups', ({ recipientGroups = [] }) => recipientGroups.join(', ')],
]

function addressOf(text: string | undefined): URL {
  if (text && !URL.canParse(text)) throw new Failure('--url must be an address.')
  return text ? new URL(text) : new URL('/task-provider/v2', baseUrl())
}

function authorizationFor(url: URL): string {
  const token = process.env[TOKEN]
  if (token) return `Bearer ${token}`
  if (isLoopback(url)) return `Basic ${Buffer.from('taskcenter:taskcenter').toString('base64')}`
  throw new Failure(`Put the technical user's token into ${TOKEN}.`)
}

/** Reads all tasks; each page starts after the last task of the previous one. */
async function pull(provider: Provider, { top, days, languages }: Pulling) {
  const tasks: Task[] = []
  let [modifiedAfter, lastId] = [new Date(Date.now() - days * DAY_MS).toISOString(), '']
  let slowest = 0
  for (let pages = 0; ; pages++) {
    const begun = performance.now()
    const place = { modifiedAfter, languages, $top: top, ...(lastId && { lastId }) }
    const { value } = await provider.read('/tasks', z.object({ value: z.array(task) }), place)
    slowest = Math.max(slowest, performance.now() - begun)
    const last = value.at(-1)
    if (!last) return { tasks, pages, slowest }
    tasks.push(...value)
    if (last.modifiedAt === modifiedAfter && last.urn === lastId) {
      throw new Failure('A page begins again where the one before began.')
    }
    modifiedAfter = last.modifiedAt
    lastId = last.urn
  }
}

async function check(provider: Provider, tasks: Task[], languages: string): Promise<Check[]> {
  const places = tasks.map(({ modifiedAt, urn }) => `${modifiedAt} ${urn}`)
  const inOrder = places.every((place, index) => index === 0 || places[index - 1]! < place)
  const known = new Set(tasks.map(({ urn }) => urn))
  const checks: Check[] = [
    { what: 'tasks come in the order of modifiedAt and urn', ok: inOrder },
    { what: 'each task comes once, unless it changes meanwhile', ok: known.size === tasks.length },
    await refused(provider, 'modifiedAfter is needed', '/tasks', { languages }, 400),
    await refused(provider, 'an unknown task is 404', '/tasks/urn:x', { languages }, 404),
  ]
  const [some] = tasks.slice(-1)
  if (!some) return checks
  const path = `/tasks/${encodeURIComponent(some.urn)}`
  const { status } = await provider.get(path, { languages })
  return [
    ...checks,
    { what: 'one task is found by its encoded URN', ok: status === 200 },
    await refused(provider, 'the description is for people', `${path}/description`, {}, 403),
  ]
}

async function refused(
  provider: Provider,
  what: string,
  path: string,
  params: Record<string, string>,
  expected: number,
): Promise<Check> {
  const { status, body } = await provider.get(path, params)
  return { what, ok: status === expected && error.safeParse(body).success }
}
