import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { runDetached } from '../../../base/cap/context.ts'
import { Consents, Sources } from '../../../base/database/entities.ts'
import { readSecret } from '../../../base/database/secrets/vault.ts'
import { clearCookie, cookieOf, setCookie } from '../../../base/http/cookies.ts'
import { type Page, sendPage } from '../../../base/http/page.ts'
import { type ConsentSecret, hashOf } from '../access/store-access.ts'
import { type CallbackParameters, completeConsent, type Outcome } from './complete-consent.ts'
import { askFirst, connectedPage, FAILED, NOT_ALLOWED, problemPage, UNUSABLE } from './pages.ts'

/**
 * GET /oauth/authorize, without an API key: binds a consent to the browser that opens this address first, and leads it
 * to the ERP's consent page.
 */
export async function beginConsent(request: Request, response: Response) {
  // HEAD, which link previews send, must not begin it.
  if (request.method !== 'GET') {
    response.setHeader('Allow', 'GET')
    return sendPage(response, NOT_ALLOWED)
  }
  let next: Page | string
  try {
    next = await runDetached('consent', () => nextStep(request, response))
  } catch (error) {
    cds.log('sources').error('a consent could not be begun:', error)
    next = FAILED
  }
  if (typeof next !== 'string') return sendPage(response, next)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.redirect(next)
}

/** The address of the ERP's consent page, or a page that says why not. */
async function nextStep(request: Request, response: Response): Promise<Page | string> {
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  const [ticket, ...more] = searchParams.getAll('ticket')
  if (!ticket || more.length) return UNUSABLE.unknown
  const ticketHash = hashOf(ticket)
  const row = await SELECT.one.from(Consents).where({ ticketHash })
  if (!row) return UNUSABLE.unknown
  if (row.usedAt) return UNUSABLE.used
  const left = Date.parse(row.expiresAt!) - Date.now()
  if (left <= 0) return UNUSABLE.expired
  const source = row.source_ID
  if (row.browserHash !== null) {
    if (row.browserHash !== hashOfProof(request, source)) return UNUSABLE.foreign
    return readUrl(source)
  }
  // A click on our own page is no longer one on another site's.
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    const { account } = (await SELECT.one.from(Sources).columns('account').where({ ID: source }))!
    return askFirst(account!, request.originalUrl)
  }
  const url = await readUrl(source)
  const proof = newProof()
  const updated: unknown = await UPDATE.entity(Consents)
    .set({ browserHash: hashOf(proof) })
    .where({ ticketHash, browserHash: null })
  if (updated !== 1) return UNUSABLE.foreign
  giveCookie(response, source, proof, left)
  return url
}

async function readUrl(source: number): Promise<string> {
  const secret = (await readSecret(source, 'consent'))!
  return (JSON.parse(secret.text) as ConsentSecret).url
}

/** GET /oauth/callback, without an API key: the ERP's consent page redirects the browser here. */
export async function oauthCallback(request: Request, response: Response) {
  // HEAD, which link previews send, must not redeem the consent.
  const page = request.method === 'GET' ? await createPage(request, response) : NOT_ALLOWED
  if (page === NOT_ALLOWED) response.setHeader('Allow', 'GET')
  sendPage(response, page)
}

async function createPage(request: Request, response: Response): Promise<Page> {
  const parameters = parseParameters(request.originalUrl)
  if (!parameters) return UNUSABLE.unknown
  const browserOf = (source: number) => hashOfProof(request, source)
  try {
    const outcome = await runDetached('consent', () => completeConsent(parameters, browserOf))
    if ('source' in outcome) forgetCookie(response, outcome.source)
    return pageOf(outcome)
  } catch (error) {
    cds.log('sources').error('a consent could not be completed:', error)
    return FAILED
  }
}

/** Null for a malformed address: without `state`, or with a parameter twice. */
function parseParameters(url: string): CallbackParameters | null {
  const { searchParams } = new URL(url, 'http://localhost')
  const names = ['state', 'code', 'error', 'iss'] as const
  if (names.some((name) => searchParams.getAll(name).length > 1)) return null
  const value = (name: (typeof names)[number]) => searchParams.get(name) || null
  const state = value('state')
  if (!state) return null
  const further = (name: string) => {
    const values = searchParams.getAll(name)
    return values.length === 1 ? values[0]! : null
  }
  return { state, code: value('code'), error: value('error'), issuer: value('iss'), further }
}

function pageOf(outcome: Outcome): Page {
  switch (outcome.kind) {
    case 'connected':
      return connectedPage(outcome.account, outcome.missing)
    case 'failed':
      return problemPage(outcome.problem)
    case 'unusable':
      return UNUSABLE[outcome.why]
  }
}

// The browser that begins a consent is given a cookie: only it may come back with what the ERP answers.

/** One a source, so that two consents that are given side by side do not end each other. */
const nameOf = (source: number) => `restock-consent-${source}`

/** What a browser is to prove by that it began a consent. */
const newProof = () => randomBytes(32).toString('base64url')

/** The browser keeps it as long as the consent may be given. */
const giveCookie = (res: Response, source: number, proof: string, milliseconds: number) =>
  setCookie(res, nameOf(source), proof, milliseconds)

const forgetCookie = (res: Response, source: number) => clearCookie(res, nameOf(source))

/** The hash of the proof that a browser has for this source; null without one. */
function hashOfProof(req: Request, source: number): string | null {
  const proof = cookieOf(req, nameOf(source))
  return proof ? hashOf(proof) : null
}
