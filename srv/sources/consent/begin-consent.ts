import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { runDetached } from '../../cap/context.ts'
import { type Page, sendPage } from '../../page.ts'
import { Consents, Sources } from '../../store/entities.ts'
import { readSecret } from '../../store/secrets/vault.ts'
import { type ConsentSecret, hashOf } from '../access/store-access.ts'
import { giveCookie, hashOfProof, newProof } from './browser.ts'
import { askFirst, FAILED, NOT_ALLOWED, UNUSABLE } from './pages.ts'

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
