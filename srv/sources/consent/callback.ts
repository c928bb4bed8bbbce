import cds from '@sap/cds'
import type { Request, Response } from 'express'
import { runDetached } from '../../cap/context.ts'
import { type Answer, completeConsent, type Outcome } from './complete-consent.ts'
import { htmlOf, type Page, PAGE_HEADERS } from './callback-page.ts'

const AGAIN = 'Go back to where you started it and connect once more.'

/** Where an ERP's consent page sends the browser back to: GET /oauth/callback, without a key. */
export async function oauthCallback(request: Request, response: Response) {
  // A HEAD, as link previews send it, must not use up the consent.
  const page = request.method === 'GET' ? await pageFor(request) : NOT_ALLOWED
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
  if (page === NOT_ALLOWED) response.setHeader('Allow', 'GET')
  response.status(page.status).end(htmlOf(page))
}

async function pageFor({ originalUrl }: Request): Promise<Page> {
  const answer = answerIn(originalUrl)
  if (!answer) return pageOf({ kind: 'unknown' })
  try {
    return pageOf(await runDetached('consent', () => completeConsent(answer)))
  } catch (error) {
    cds.log('sources').error('a consent could not be completed:', error)
    return BROKEN
  }
}

/** Null for what no consent page sends: no `state`, or a parameter twice. */
function answerIn(url: string): Answer | null {
  const { searchParams } = new URL(url, 'http://localhost')
  const names = ['state', 'code', 'error']
  if (names.some((name) => searchParams.getAll(name).length > 1)) return null
  const [state, code, error] = names.map((name) => searchParams.get(name) || null)
  return state ? { state, code: code ?? null, error: error ?? null } : null
}

const NOT_ALLOWED: Page = { status: 405, title: 'Not possible', text: ['This page is only read.'] }
const BROKEN: Page = {
  status: 500,
  title: 'Not connected',
  text: ['Something went wrong on our side.', AGAIN],
}

function pageOf(outcome: Outcome): Page {
  switch (outcome.kind) {
    case 'connected':
      return {
        status: 200,
        title: 'Connected, you may close this window',
        text: [`Restock may now read ${outcome.account}.`, ...missingIn(outcome.missing)],
      }
    case 'failed': {
      const isDenied = outcome.problem.code === 'consent_denied'
      return {
        status: isDenied ? 403 : 502,
        title: isDenied ? 'Consent denied' : 'Not connected',
        text: [
          outcome.problem.message,
          isDenied ? `Nothing was connected. ${AGAIN}` : NOTHING_KEPT,
        ],
      }
    }
    case 'used':
      return {
        status: 410,
        title: 'This consent was used already',
        text: [
          'Each consent can be used once. If you have just connected, all is well.',
          `Else: ${AGAIN}`,
        ],
      }
    case 'expired':
      return {
        status: 410,
        title: 'This consent has expired',
        text: ['It had to be given within ten minutes.', AGAIN],
      }
    case 'unknown':
      return {
        status: 400,
        title: 'This consent is not known',
        text: ['Nobody asked for it here, or it was asked for anew since.', AGAIN],
      }
  }
}

const NOTHING_KEPT = 'Nothing was kept of it.'

const missingIn = (missing: string[]) =>
  missing.length ? [`Not granted, though needed: ${missing.join(', ')}.`] : []
