import { setTimeout as sleep } from 'node:timers/promises'
import { dataOf } from './answers.ts'
import { openBrowser } from './browser.ts'
import { openClient } from './client.ts'
import { apiCommand } from './command.ts'
import { Failure, WrongUsage } from './errors.ts'
import { note, print, printJsonLine } from './output.ts'
import { printRights } from './rights.ts'
import { readSecret } from './secret.ts'
import { SCHEDULE, scheduleOf } from './sources/edit.ts'
import { hasFiles, offerSync, printFiles, printTwins } from './sources/files.ts'
import { addOption } from './sources/option.ts'
import { toSafeText } from './text.ts'
import type { Command } from 'commander'
import type { Answer, DataOf, InputOf, Restock, Source } from '../client/index.ts'

interface Options {
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
  json?: true
}

const QUICK_POLLS = 10

/** `restock connect` */
export function connectCommand(): Command {
  return apiCommand('connect', 'connect an ERP; only rights to read are asked for', [
    'connect --source csv --account my-folder',
    'connect --source csv --account german --option decimal=,',
    'connect --source s4hana --account https://my0.example --client-id c1',
    'connect --again src_2',
    'sources types s4hana   (kinds of ERP, and the options of one)',
  ])
    .option('--source <type>', 'kind of ERP: `restock sources types` lists them')
    .option('--account <id>', 'account, company or folder, as that kind of ERP calls it')
    .option('--role <id>', 'the role to consent to, where the type of source has one')
    .option('--base-url <url>', 'address of the ERP')
    .option('--client-id <id>', 'OAuth client; its secret is prompted, or RESTOCK_CLIENT_SECRET')
    .option('--option <name=value>', 'further setting of this kind of ERP; repeatable', addOption)
    .option('--schedule-full <cron>', `full syncs: ${SCHEDULE}`)
    .option('--schedule-incremental <cron>', `incremental syncs: ${SCHEDULE}`)
    .option('--again <id>', 'ask again for consent to a connected source; its data is kept')
    .option('--no-browser', 'print the address of the consent page instead of opening it')
    .action(connect)
}

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
function assertTarget({ source, account, again, ...further }: Options): void {
  const { role, baseUrl, option, scheduleFull, scheduleIncremental } = further
  const given = [source, account, role, baseUrl, option, scheduleFull, scheduleIncremental].some(
    (each) => each !== undefined,
  )
  if (again !== undefined) {
    if (given)
      throw new WrongUsage('--again takes no option but --client-id, and those for output.')
    return
  }
  const missing = Object.entries({ source, account }).filter(([, value]) => !value)
  if (missing.length === 0) return
  const names = missing.map(([name]) => `--${name}`).join(', ')
  throw new WrongUsage(`${names} must be given (add --help for what is possible).`)
}

type CreatedSource = DataOf<'post', '/sources'>
type NewSource = InputOf<'post', '/sources'>['body']

/** No idempotency key, so that the service does not store the answer: its consent page is valid only once. */
const idempotencyKey = null

async function askForConsent(restock: Restock, options: Options): Promise<Answer<CreatedSource>> {
  const { again, clientId } = options
  const isSecret = clientId !== undefined || (again && process.env.RESTOCK_CLIENT_SECRET)
  const client = {
    client_id: clientId,
    client_secret: isSecret ? await readSecret() : undefined,
  }
  if (again !== undefined) {
    return restock.call('post', '/sources/{id}/consent', {
      ...{ path: { id: again }, body: client, idempotencyKey },
    })
  }
  const { source: type, account, role, baseUrl: base_url, option } = options
  const body = { type, account, role, base_url, ...client, options: option }
  const schedules = schedulesIn(options)
  return restock.call('post', '/sources', {
    body: { ...body, schedules } as NewSource,
    idempotencyKey,
  })
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
async function waitForConsent(
  restock: Restock,
  { id, expires_at }: CreatedSource,
): Promise<Answer<Source>> {
  const end = expires_at ? Date.parse(expires_at) : NaN
  for (let poll = 0; ; poll++) {
    await sleep(poll < QUICK_POLLS ? 500 : 2000)
    const answer = await restock.call('get', '/sources/{id}', { path: { id } })
    if (isDecided(dataOf(answer, ['id', 'status']))) return answer
    if (Date.now() > end) {
      throw new Failure('Nobody consented before the page expired: connect again.')
    }
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
  print(toSafeText(`Connected ${id}.`))
  printRights(connected)
  printFiles(connected)
  if (hasFiles(connected)) await printTwins(client, connected)
  if (options.again === undefined) COSTS.forEach(note)
  if (hasFiles(connected) && (await offerSync(client, connected))) return
  print(toSafeText(`Next: restock sync --source ${id}`))
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
