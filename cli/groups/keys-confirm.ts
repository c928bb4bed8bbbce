import { openClient, useProxy } from '../client.ts'
import { apiCommand, type Json, option } from '../command.ts'
import { Failure, WrongUsage } from '../errors.ts'
import { baseUrl, isLoopback } from '../key.ts'
import { print, printJson, toSafeText } from '../output.ts'

const TOKEN = 'RESTOCK_USER_TOKEN'
const TIMEOUT_MS = 30_000

interface Options extends Json {
  user?: string
}

/** `restock keys confirm <id>` */
export const confirmCommand = () =>
  apiCommand({
    name: 'confirm',
    summary: 'let a key decide in your name, signed in as yourself',
    examples: ['keys confirm k7d2m', 'keys confirm k7d2m --user buyer'],
    args: { '<id>': 'as "restock keys list" shows it' },
    options: [
      option('--user <name>', 'development only: the user who confirms; default: whom it acts as'),
    ],
    run: confirm,
  }).addHelpText(
    'after',
    `\nA key cannot confirm keys: the token of your own sign-in is taken from ${TOKEN}. A development\n` +
      "server on this machine needs none: its mocked users' passwords are their names.",
  )

async function confirm({ user, json }: Options, id: string): Promise<void> {
  const url = new URL('../odata/v4/buyer/confirmKey', `${baseUrl().href}/`)
  if (!isLoopback(url)) useProxy()
  const authorization = await authorizationFor(url, id, user)
  const { status, text } = await post(url, authorization, { id })
  if (json) printJson({ text })
  if (status >= 400) throw new Failure(explain(status, text))
  if (!json) print(`Confirmed ${id}.`)
}

async function authorizationFor(url: URL, id: string, user: string | undefined): Promise<string> {
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
  return `The key is not confirmed: ${messageIn(text) ?? `status ${status}`}`
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message
  } catch {
    return undefined
  }
}
