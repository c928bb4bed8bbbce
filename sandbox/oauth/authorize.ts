// /sap/bc/sec/oauth2/authorize
import { randomUUID } from 'node:crypto'
import { CLIENT, knownScopes } from '../behaviour.ts'
import { readForm, redirect, sendHtml } from '../http.ts'
import { consentPage, problemPage } from './page.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { State } from '../state.ts'

interface Pending {
  redirectUri: string
  issuer: string | null
  state: string | null
  scopes: string[]
  challenge: string | null
}

const pending = new Map<string, Pending>()

export async function authorize(state: State, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'POST') return decide(state, request, response)
  const url = new URL(request.url ?? '', 'http://localhost')
  const parameter = (name: string) => url.searchParams.get(name)
  const redirectUri = parameter('redirect_uri') ?? ''
  if (!state.behaviour.auth.includes('authorization_code')) {
    return sendHtml(response, 404, problemPage('OAuth 2.0 is not set up in this system.'))
  }
  if (parameter('client_id') !== CLIENT.id) {
    return sendHtml(response, 400, problemPage('The OAuth 2.0 client is not known.'))
  }
  if (!state.behaviour.redirectUris.some((known) => redirectUri.startsWith(known))) {
    return sendHtml(
      response,
      400,
      problemPage(`The redirect URI ${redirectUri} is not registered.`),
    )
  }
  const asked = (parameter('scope') ?? '').split(' ').filter(Boolean)
  const wanted: Pending = {
    redirectUri,
    issuer: issuerOf(state, request),
    state: parameter('state'),
    scopes: asked,
    challenge: state.behaviour.pkce === 'ignored' ? null : parameter('code_challenge'),
  }
  const problem = problemOf(state, asked, wanted.challenge, parameter)
  if (problem) return answer(response, wanted, { error: problem })
  const { consent } = state.behaviour
  if (consent !== 'ask') return finish(state, response, wanted, consent === 'allow')
  const transaction = randomUUID()
  pending.set(transaction, wanted)
  sendHtml(response, 200, consentPage(transaction, CLIENT.id, asked))
}

function issuerOf({ behaviour }: State, { headers }: IncomingMessage): string | null {
  if (behaviour.issuer === 'none') return null
  return behaviour.issuer === 'own' ? `http://${headers.host}` : 'https://another.example'
}

function problemOf(
  { behaviour }: State,
  scopes: string[],
  challenge: string | null,
  parameter: (name: string) => string | null,
): string | null {
  const known = knownScopes(behaviour)
  if (parameter('response_type') !== 'code') return 'unsupported_response_type'
  if (scopes.length === 0 || scopes.some((scope) => !known.includes(scope))) return 'invalid_scope'
  if (behaviour.pkce === 'required' && !challenge) return 'invalid_request'
  if (challenge && parameter('code_challenge_method') !== 'S256') return 'invalid_request'
  return null
}

async function decide(state: State, request: IncomingMessage, response: ServerResponse) {
  const form = await readForm(request)
  const transaction = form.get('transaction') ?? ''
  const wanted = pending.get(transaction)
  pending.delete(transaction)
  if (!wanted) return sendHtml(response, 400, problemPage('This page has expired.'))
  finish(state, response, wanted, form.get('decision') === 'allow')
}

function finish(state: State, response: ServerResponse, wanted: Pending, allowed: boolean): void {
  if (!allowed) return answer(response, wanted, { error: 'access_denied' })
  const { grantExtra, grantWithout } = state.behaviour
  const scopes = [...wanted.scopes, ...grantExtra].filter((scope) => !grantWithout.includes(scope))
  const { redirectUri, challenge } = wanted
  const code = state.tokens.code({ user: CLIENT.user, scopes, redirectUri, challenge })
  answer(response, wanted, { code })
}

function answer(response: ServerResponse, wanted: Pending, values: Record<string, string>): void {
  const target = new URL(wanted.redirectUri)
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value)
  if (wanted.issuer !== null) target.searchParams.set('iss', wanted.issuer)
  if (wanted.state !== null) target.searchParams.set('state', wanted.state)
  redirect(response, target.href)
}
