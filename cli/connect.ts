import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { readAnswer, source } from './answers.ts'
import { openBrowser } from './browser.ts'
import { openClient } from './client.ts'
import { apiCommand, segment } from './command.ts'
import { Failure } from './errors.ts'
import { note, print, printJson, printJsonLine } from './output.ts'
import { readSecret } from './secret.ts'
import { safe } from './text.ts'
import type { Command } from 'commander'
import type { Answer, Client } from './client.ts'
import type { Source } from './answers.ts'

interface Options {
  source: string
  account: string
  role: string
  baseUrl?: string
  clientId?: string
  option?: Record<string, string>
  browser: boolean
  json?: true
}

const QUICK_POLLS = 10

/** `restock connect` */
export function connectCommand(): Command {
  return apiCommand('connect', 'connect an ERP; only rights to read are asked for', [
    'connect --source csv --account my-folder --role reader',
    'connect --source csv --account german --role reader --option decimal=,',
    'connect --source s4hana --account 0LABC --role reader --base-url https://my0.example --client-id c1',
  ])
    .requiredOption('--source <type>', 'kind of ERP: csv, s4hana, netsuite, odoo …')
    .requiredOption('--account <id>', 'account, company or folder, as that kind of ERP calls it')
    .requiredOption('--role <id>', 'the role that is to be consented to')
    .option('--base-url <url>', 'address of the ERP')
    .option('--client-id <id>', 'OAuth client; its secret is prompted, or RESTOCK_CLIENT_SECRET')
    .option('--option <name=value>', 'further setting of this kind of ERP; repeatable', addOption)
    .option('--no-browser', 'print the address of the consent page instead of opening it')
    .action(connect)
}

async function connect(options: Options): Promise<void> {
  const client = await openClient()
  const body = {
    type: options.source,
    account: options.account,
    role: options.role,
    base_url: options.baseUrl,
    client_id: options.clientId,
    client_secret: options.clientId === undefined ? undefined : await readSecret(),
    options: options.option,
  }
  const answer = await client.call('POST', '/sources', { body })
  const created = readAnswer(source, answer)
  if (created.status === 'connected') return finish(answer, created, options)
  if (options.json && !options.browser) printJsonLine(answer)
  await showConsent(created, options)
  const consented = await waitForConsent(client, created)
  finish(consented, readAnswer(source, consented), options)
}

async function showConsent({ authorization_url: page }: Source, options: Options): Promise<void> {
  if (!page) throw new Failure('The server names no consent page: see its log.')
  const opened = options.browser && (await openBrowser(page))
  note(`${opened ? 'Opened' : 'Open'} this page to consent, in a browser:`)
  note(page)
}

/** Looks at the source until its consent is decided, or the page has expired. */
async function waitForConsent(client: Client, { id, expires_at }: Source): Promise<Answer> {
  const end = expires_at ? Date.parse(expires_at) : NaN
  for (let poll = 0; ; poll++) {
    await sleep(poll < QUICK_POLLS ? 500 : 2000)
    const answer = await client.call('GET', `/sources/${segment(id)}`)
    if (readAnswer(source, answer).status !== 'pending_consent') return answer
    if (Date.now() > end) {
      throw new Failure('Nobody consented before the page expired: connect once more.')
    }
  }
}

function finish(answer: Answer, connected: Source, options: Options): void {
  if (options.json) (options.browser ? printJson : printJsonLine)(answer)
  const { id, status, needed_rights: needed, granted_rights: granted } = connected
  if (status !== 'connected') {
    const lacking = needed?.filter((right) => !granted?.includes(right)) ?? []
    const which = lacking.length > 0 ? `; rights that were not granted: ${lacking.join(', ')}` : ''
    throw new Failure(`${id} is not connected (${status})${which}.`)
  }
  if (options.json) return
  print(safe(`Connected ${id}.`))
  if (granted?.length) print(safe(`Granted rights: ${granted.join(', ')}`))
  print(safe(`Next: restock sync --source ${id}`))
}

function addOption(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be name=value.')
  }
  return { ...earlier, [name]: value }
}
