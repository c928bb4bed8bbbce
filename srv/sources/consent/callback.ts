import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { runDetached } from '../../cap/context.ts'
import { type Page, sendPage } from '../../page.ts'
import { forgetCookie, hashOfProof } from './browser.ts'
import { type CallbackParameters, completeConsent, type Outcome } from './complete-consent.ts'
import { connectedPage, FAILED, NOT_ALLOWED, problemPage, UNUSABLE } from './pages.ts'

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
