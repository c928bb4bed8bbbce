import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { runDetached } from '../../cap/context.ts'
import { type Page, sendPage } from '../../page.ts'
import { type CallbackParameters, completeConsent, type Outcome } from './complete-consent.ts'

const CONNECT_AGAIN = 'Go back to where you started and connect again.'

/** GET /oauth/callback, without an API key: the ERP's consent page redirects the browser here. */
export async function oauthCallback(request: Request, response: Response) {
  // HEAD, which link previews send, must not redeem the consent.
  const page = request.method === 'GET' ? await createPage(request) : NOT_ALLOWED
  if (page === NOT_ALLOWED) response.setHeader('Allow', 'GET')
  sendPage(response, page)
}

async function createPage({ originalUrl }: Request): Promise<Page> {
  const parameters = parseParameters(originalUrl)
  if (!parameters) return pageOf({ kind: 'unknown' })
  try {
    return pageOf(await runDetached('consent', () => completeConsent(parameters)))
  } catch (error) {
    cds.log('sources').error('a consent could not be completed:', error)
    return FAILED
  }
}

/** Null for a malformed address: without `state`, or with a parameter twice. */
function parseParameters(url: string): CallbackParameters | null {
  const { searchParams } = new URL(url, 'http://localhost')
  const names = ['state', 'code', 'error']
  if (names.some((name) => searchParams.getAll(name).length > 1)) return null
  const [state, code, error] = names.map((name) => searchParams.get(name) || null)
  return state ? { state, code: code ?? null, error: error ?? null } : null
}

const NOT_ALLOWED: Page = {
  status: 405,
  title: 'Not possible',
  text: ['This address can only be opened, not posted to.'],
}
const FAILED: Page = {
  status: 500,
  title: 'Not connected',
  text: ['Something went wrong on our side.', CONNECT_AGAIN],
}

function pageOf(outcome: Outcome): Page {
  switch (outcome.kind) {
    case 'connected':
      return {
        status: 200,
        title: 'Connected, you may close this window',
        text: [`Restock may now read ${outcome.account}.`, ...missingRightsText(outcome.missing)],
      }
    case 'failed': {
      const isDenied = outcome.problem.code === 'consent_denied'
      return {
        status: isDenied ? 403 : 502,
        title: isDenied ? 'Consent denied' : 'Not connected',
        text: [
          outcome.problem.message,
          isDenied ? `Nothing was connected. ${CONNECT_AGAIN}` : NOTHING_STORED,
        ],
      }
    }
    case 'used':
      return {
        status: 410,
        title: 'This consent was already used',
        text: [
          'A consent can be used once. If you have just connected, there is nothing to do.',
          `Otherwise: ${CONNECT_AGAIN}`,
        ],
      }
    case 'expired':
      return {
        status: 410,
        title: 'This consent has expired',
        text: ['Consent must be given within ten minutes.', CONNECT_AGAIN],
      }
    case 'unknown':
      return {
        status: 400,
        title: 'This consent is unknown',
        text: ['Restock did not request it, or has requested a new one since.', CONNECT_AGAIN],
      }
  }
}

const NOTHING_STORED = 'Nothing was stored.'

const missingRightsText = (missing: string[]) =>
  missing.length ? [`Rights that are needed but were not granted: ${missing.join(', ')}.`] : []
