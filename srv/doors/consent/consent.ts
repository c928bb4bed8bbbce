// The addresses of a consent, which need no API key: a browser begins it at /oauth/authorize, and the ERP's consent page sends it
// back to /oauth/callback.
import cds from '@sap/cds'
import { type Request, type Response, Router } from 'express'
import { runDetached } from '../../base/cap/context.ts'
import { clearCookie, cookieOf, type Page, sendPage, setCookie } from '../../base/http/page.ts'
import { limitAddress } from '../../base/http/rates.ts'
import {
  beginConsent,
  type CallbackParameters,
  completeConsent,
  type Problem,
  type UnusableConsent,
} from '../../domain/sources/index.ts'

const LOG = cds.log('sources')

export function consentRouter(): Router {
  const router = Router()
  router.use(['/authorize', '/callback'], limitAddress('consent'))
  router.get('/authorize', (request, response) => answer(request, response, authorize))
  router.get('/callback', (request, response) => answer(request, response, callback))
  return router
}

type Handler = (request: Request, response: Response) => Promise<Page | string>

/** Shows a page, or leads the browser to an address. */
async function answer(request: Request, response: Response, handle: Handler) {
  // HEAD, which link previews send, must neither begin nor redeem a consent.
  if (request.method !== 'GET') {
    response.setHeader('Allow', 'GET')
    return sendPage(response, NOT_ALLOWED)
  }
  const next = await runDetached('consent', () => handle(request, response)).catch(
    (error: unknown) => {
      LOG.error('a consent could not be begun or completed:', error)
      return FAILED
    },
  )
  if (typeof next !== 'string') return sendPage(response, next)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.redirect(next)
}

/** A cookie proves that a browser began a consent: only it may come back with what the ERP answers. */
const nameOfCookie = (source: number) => `restock-consent-${source}`

const proofsOf = (request: Request) => (source: number) => cookieOf(request, nameOfCookie(source))

async function authorize(request: Request, response: Response): Promise<Page | string> {
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  const [ticket, ...more] = searchParams.getAll('ticket')
  const beginning = await beginConsent(more.length ? null : ticket || null, {
    proofOf: proofsOf(request),
    isSentByAnotherSite: request.headers['sec-fetch-site'] === 'cross-site',
  })
  switch (beginning.kind) {
    case 'unusable':
      return UNUSABLE[beginning.why]
    case 'asked':
      return askFirst(beginning.account, request.originalUrl)
    case 'begun': {
      const { source, url, newProof, milliseconds } = beginning
      // The browser keeps it as long as the consent may be given.
      if (newProof) setCookie(response, nameOfCookie(source), newProof, milliseconds)
      return url
    }
  }
}

async function callback(request: Request, response: Response): Promise<Page> {
  const parameters = parseParameters(request.originalUrl)
  if (!parameters) return UNUSABLE.unknown
  const outcome = await completeConsent(parameters, proofsOf(request))
  if ('source' in outcome) clearCookie(response, nameOfCookie(outcome.source))
  switch (outcome.kind) {
    case 'connected':
      return connectedPage(outcome.account, outcome.missing)
    case 'failed':
      return problemPage(outcome.problem)
    case 'unusable':
      return UNUSABLE[outcome.why]
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

// What the pages say.

const CONNECT_AGAIN = 'Go back to where you started and connect again.'

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

const UNUSABLE: Record<UnusableConsent, Page> = {
  used: {
    status: 410,
    title: 'This consent was already used',
    text: [
      'A consent can be used once. If you have just connected, there is nothing to do.',
      `Otherwise: ${CONNECT_AGAIN}`,
    ],
  },
  expired: {
    status: 410,
    title: 'This consent has expired',
    text: ['Consent must be given within ten minutes.', CONNECT_AGAIN],
  },
  unknown: {
    status: 400,
    title: 'This consent is unknown',
    text: ['Restock did not request it, or has requested a new one since.', CONNECT_AGAIN],
  },
  foreign: {
    status: 403,
    title: 'This consent was begun in another browser',
    text: [
      'A consent ends in the browser that it was begun in, and with its cookies. Nothing was connected.',
      'If somebody has sent you this address, close this window: you would give them access.',
      `Otherwise: ${CONNECT_AGAIN}`,
    ],
  },
}

/** Somebody comes by a link on another site's page, such as that of a mail. */
const askFirst = (account: string, href: string): Page => ({
  status: 200,
  title: 'Connect an ERP?',
  text: [
    `You are about to let Restock read ${account}.`,
    'Go on only if you have just asked for it yourself. If somebody has sent you here, close this window.',
  ],
  link: { href, text: 'Go on' },
})

const connectedPage = (account: string, missing: string[]): Page => ({
  status: 200,
  title: 'Connected, you may close this window',
  text: [`Restock may now read ${account}.`, ...missingRightsText(missing)],
})

const missingRightsText = (missing: string[]) =>
  missing.length ? [`Rights that are needed but were not granted: ${missing.join(', ')}.`] : []

function problemPage({ code, message }: Problem): Page {
  const isDenied = code === 'consent_denied'
  return {
    status: isDenied ? 403 : 502,
    title: isDenied ? 'Consent denied' : 'Not connected',
    text: [message, isDenied ? `Nothing was connected. ${CONNECT_AGAIN}` : 'Nothing was stored.'],
  }
}
