// /app/login/oauth2/authorize.nl
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readForm, redirect, sendHtml } from '../http.ts'
import { CLIENT } from './oauth.ts'
import type { Authority } from './oauth.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const page = (body: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>OAuth 2.0 Consent</title></head><body>${body}</body></html>`

/** What a consent says of whoever gave it. */
export interface Signed {
  company: string
  role: string
}

export async function consentPage(
  authority: Authority,
  signed: Signed,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isDecision = request.method === 'POST'
  const { searchParams } = new URL(request.url ?? '', 'http://localhost')
  const asked = isDecision ? await readForm(request) : searchParams
  const fault = faultOf(asked)
  if (fault) return sendHtml(response, 400, page(`<h1>Invalid request</h1><p>${escape(fault)}</p>`))
  if (isDecision) return decide(authority, signed, asked, response)
  const hidden = [...asked].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  const text = `<h1>Allow ${escape(CLIENT.id)}?</h1><p>Role <strong id="role">${escape(signed.role)}</strong> of ${escape(signed.company)}</p>`
  const buttons = ['allow', 'deny'].map(
    (value) =>
      `<button type="submit" name="decision" value="${value}">${value === 'allow' ? 'Allow' : 'Deny'}</button>`,
  )
  sendHtml(
    response,
    200,
    page(`${text}<form method="post">${hidden.join('')}${buttons.join('')}</form>`),
  )
}

function faultOf(asked: URLSearchParams): string | null {
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (asked.get('client_id') !== CLIENT.id) return 'The client ID is not known.'
  if (!/^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(redirectUri)) {
    return 'The redirect URI is not https.'
  }
  if (asked.get('response_type') !== 'code') return 'response_type must be code.'
  if (asked.get('scope') !== 'rest_webservices')
    return 'The scope is not among those of the record.'
  if ((asked.get('state') ?? '').length < 22) return 'state must have 22 to 1024 characters.'
  if (asked.get('code_challenge_method') !== 'S256') return 'code_challenge_method must be S256.'
  return null
}

function decide(
  authority: Authority,
  { company, role }: Signed,
  asked: URLSearchParams,
  response: ServerResponse,
): void {
  const redirectUri = asked.get('redirect_uri')!
  const target = new URL(redirectUri)
  target.searchParams.set('state', asked.get('state')!)
  if (asked.get('decision') !== 'allow') target.searchParams.set('error', 'access_denied')
  else {
    const code = authority.allow(redirectUri, asked.get('code_challenge'))
    const values = { role, entity: '17', company, code }
    for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value)
  }
  redirect(response, target.href)
}
