import { openClient, useProxy } from '../client.ts'
import { apiCommand } from '../command.ts'
import { Failure, WrongUsage } from '../errors.ts'
import { baseUrl, isLoopback } from '../key.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { Key } from '../../client/index.ts'

const TOKEN = 'RESTOCK_USER_TOKEN'
const TIMEOUT_MS = 30_000

interface Options {
  user?: string
  json?: true
}

/** `restock keys confirm <id>` */
export function confirmCommand(): Command {
  return apiCommand('confirm', 'let a key decide in your name, signed in as yourself', [
    'keys confirm k7d2m',
    'keys confirm k7d2m --user buyer',
  ])
    .argument('<id>', 'as "restock keys list" shows it')
    .option('--user <name>', 'development only: the user who confirms; default: whom it acts as')
    .addHelpText(
      'after',
      `\nA key cannot confirm keys: the token of your own sign-in is taken from ${TOKEN}. A development\n` +
        "server on this machine needs none: its mocked users' passwords are their names.",
    )
    .action(confirm)
}

async function confirm(id: string, options: Options): Promise<void> {
  const url = new URL('../odata/v4/buyer/confirmKey', `${baseUrl().href}/`)
  if (!isLoopback(url)) useProxy()
  const authorization = await authorizationFor(url, id, options)
  const { status, text } = await post(url, authorization, { id })
  if (options.json) printJson({ text })
  if (status >= 400) throw new Failure(explain(status, text))
  if (!options.json) print(`Confirmed ${toSafeText(id)}.`)
}

async function authorizationFor(url: URL, id: string, { user }: Options): Promise<string> {
  const token = process.env[TOKEN]?.trim()
  if (token) return `Bearer ${token}`
  if (!isLoopback(url)) {
    throw new Failure(`Put the token of your sign-in into ${TOKEN}, or confirm the key in the app.`)
  }
  const name = user ?? (await personOf(id))
  return `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`
}

/** Whom a key acts as. */
async function personOf(id: string): Promise<string> {
  for await (const key of openClient().list('/keys')) {
    if (key.id === id && key.acts_as) return key.acts_as
  }
  throw new WrongUsage(`There is no key ${toSafeText(id)} that acts as somebody.`)
}

async function post(url: URL, authorization: string, body: object) {
  const headers = { authorization, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: response.status, text: await response.text() }
  } catch (problem) {
    throw new Failure(`${url.href} does not answer: ${(problem as Error).message}`)
  }
}

function explain(status: number, text: string): string {
  if (status === 401) return `The sign-in is not accepted: put the token of yours into ${TOKEN}.`
  return `The key is not confirmed: ${toSafeText(messageIn(text) ?? `status ${status}`)}`
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message
  } catch {
    return undefined
  }
}

/** Says what a key still needs before it decides. */
export function noteConfirmation({ id, status, acts_as }: Pick<Key, 'id' | 'status' | 'acts_as'>) {
  if (status !== 'pending_confirmation') return
  note(
    `It decides once ${acts_as} has confirmed it: in the app, or by "restock keys confirm ${id}".`,
  )
}
