import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, dataOf, openClient, readSources } from './client.ts'
import { apiCommand, type Json, option } from './command.ts'
import { Failure, WrongUsage } from './errors.ts'
import { note, print, printJsonLine } from './output.ts'
import { addSetting, SCHEDULE, scheduleOf } from './sources/settings.ts'
import { filesOf, hasFiles, rightsOf } from './sources/show.ts'
import { syncOne } from './sync.ts'
import { confirms, hasPerson, openBrowser, readSecret } from './terminal.ts'
import type { Answer, DataOf, Restock, Source } from '../client/index.ts'

interface Options extends Json {
  source?: string
  account?: string
  role?: string
  again?: string
  baseUrl?: string
  clientId?: string
  option?: Record<string, string>
  scheduleFull?: string
  scheduleIncremental?: string
  browser: boolean
}

const QUICK_POLLS = 10

/** `restock connect` */
export const connectCommand = () =>
  apiCommand({
    name: 'connect',
    summary: 'connect an ERP; only rights to read are asked for',
    examples: [
      'connect --source csv --account my-folder',
      'connect --source csv --account german --option decimal=,',
      'connect --source s4hana --account https://my0.example --client-id c1',
      'connect --again src_2',
      'sources types s4hana   (kinds of ERP, and the options of one)',
    ],
    options: [
      option('--source <type>', 'kind of ERP: `restock sources types` lists them'),
      option('--account <id>', 'account, company or folder, as that kind of ERP calls it'),
      option('--role <id>', 'the role to consent to, where the type of source has one'),
      option('--base-url <url>', 'address of the ERP'),
      option('--client-id <id>', 'OAuth client; its secret is prompted, or RESTOCK_CLIENT_SECRET'),
      option(
        '--option <name=value>',
        'further setting of this kind of ERP; repeatable',
        addSetting,
      ),
      option('--schedule-full <cron>', `full syncs: ${SCHEDULE}`),
      option('--schedule-incremental <cron>', `incremental syncs: ${SCHEDULE}`),
      option('--again <id>', 'ask again for consent to a connected source; its data is kept'),
      option('--no-browser', 'print the address of the consent page instead of opening it'),
    ],
    run: connect,
  })

async function connect(options: Options): Promise<void> {
  assertTarget(options)
  const client = openClient()
  const answer = await askForConsent(client, options)
  const created = dataOf(answer, ['id', 'status'])
  if (!created.authorization_url) return finish(client, answer, created, options)
  if (options.json) printJsonLine(answer)
  await showConsent(created.authorization_url, options)
  const consented = await waitForConsent(client, created)
  await finish(client, consented, consented.data, options)
}

/** @throws WrongUsage unless the options name either a new source or an existing one */
function assertTarget({ again, clientId, browser, json, ...ofNew }: Options) {
  if (again !== undefined) {
    if (!Object.keys(ofNew).length) return
    throw new WrongUsage('--again takes no option but --client-id, and those for output.')
  }
  const missing = (['source', 'account'] as const).filter((name) => !ofNew[name])
  if (!missing.length) return
  const names = missing.map((name) => `--${name}`).join(', ')
  throw new WrongUsage(`${names} must be given (add --help for what is possible).`)
}

type CreatedSource = DataOf<'post', '/sources'>

/** No idempotency key, so that the service does not store the answer: its consent page is valid only once. */
const idempotencyKey = null

async function askForConsent(restock: Restock, options: Options): Promise<Answer<CreatedSource>> {
  const { again, clientId, source: type, account, role, baseUrl: base_url } = options
  const isSecret = clientId !== undefined || (again && process.env.RESTOCK_CLIENT_SECRET)
  const client_secret = isSecret ? await readSecret() : undefined
  const client = { client_id: clientId, client_secret }
  if (again !== undefined) {
    const path = { id: again }
    return restock.call('post', '/sources/{id}/consent', { path, body: client, idempotencyKey })
  }
  const schedules = schedulesIn(options)
  const asked = { type, account, role, base_url, ...client, options: options.option, schedules }
  const body = asked as Body<'post', '/sources'>
  return restock.call('post', '/sources', { body, idempotencyKey })
}

function schedulesIn({ scheduleFull: full, scheduleIncremental: incremental }: Options) {
  return full === undefined && incremental === undefined
    ? undefined
    : { full: scheduleOf(full), incremental: scheduleOf(incremental) }
}

async function showConsent(page: string, options: Options): Promise<void> {
  const opened = options.browser && (await openBrowser(page))
  note(`${opened ? 'Opened' : 'Open'} this page to consent, in a browser:`)
  note(page)
}

/** Polls the source until its consent is decided or the page has expired. */
async function waitForConsent(restock: Restock, { id, expires_at }: CreatedSource) {
  const end = expires_at ? Date.parse(expires_at) : NaN
  for (let poll = 0; ; poll++) {
    await sleep(poll < QUICK_POLLS ? 500 : 2000)
    const answer = await restock.call('get', '/sources/{id}', { path: { id } })
    if (isDecided(dataOf(answer, ['id', 'status']))) return answer
    if (Date.now() > end)
      throw new Failure('Nobody consented before the page expired: connect again.')
  }
}

const isDecided = ({ status, problem, consent_expires_at: awaited }: Source) =>
  !awaited && (status !== 'pending_consent' || problem != null)

/** Prints the result. A source may stay connected by an earlier consent although the new one has failed. */
async function finish(
  client: Restock,
  answer: Answer<Source>,
  connected: Source,
  options: Options,
): Promise<void> {
  if (options.json) printJsonLine(answer)
  const { id, status, problem } = connected
  if (problem) throw new Failure(`No consent to ${id}: ${problem.message}`)
  if (status !== 'connected') {
    throw new Failure(`${id} is not connected (${status})${describeMissingRights(connected)}.`)
  }
  if (options.json) return
  print(`Connected ${id}.`, ...rightsOf(connected), ...filesOf(connected))
  if (hasFiles(connected)) await printTwins(client, connected)
  if (options.again === undefined) COSTS.forEach(note)
  if (hasFiles(connected) && (await offerSync(client, connected))) return
  print(`Next: restock sync --source ${id}`)
}

/** Quantities follow these two costs more than anything else, and no ERP names them. */
const COSTS = [
  'Quantities follow two costs. Unless configured otherwise, a unit short costs 40 % of its unit cost, and carrying one for a year 25 %. To set yours:',
  'restock policies set --default --stockout-cost-share 0.4 --carrying-cost-share-per-year 0.25',
]

function describeMissingRights({ needed_rights: needed, granted_rights: granted }: Source): string {
  const lacking = granted?.length ? needed?.filter((right) => !granted.includes(right)) : []
  return lacking?.length ? `; rights that were not granted: ${lacking.join(', ')}` : ''
}

/** Windows writes `north\\2026` for `north/2026`. */
const folderOf = ({ account }: Source) => account.replaceAll('\\', '/')

/** Says which other sources read the same folder. */
async function printTwins(client: Restock, source: Source): Promise<void> {
  const twins = (await readSources(client)).filter(
    (other) =>
      other.id !== source.id && other.type === source.type && folderOf(other) === folderOf(source),
  )
  if (!twins.length) return
  const names = twins.map(({ id }) => id).join(', ')
  print(
    `Note: ${names} reads the same folder already, and leads what both have: remove one of them.`,
  )
}

/** Asks a person at the terminal whether to sync; whether it was done. */
async function offerSync(client: Restock, { id, streams }: Source): Promise<boolean> {
  if (!hasPerson() || streams?.some(({ status }) => status === 'failed')) return false
  if (!(await confirms('Is it understood right, and shall it be synced now?'))) return false
  await syncOne(client, id, { wait: true }, () => {})
  return true
}
