import { CLIENT } from '../behaviour.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const page = (title: string, body: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>` +
  'body{font:16px/1.5 sans-serif;margin:4rem auto;max-width:34rem;color:#223}' +
  'button{font:inherit;padding:.4rem 1.4rem;margin-right:.6rem}li{font-family:monospace}' +
  `</style></head><body>${body}</body></html>`

/** Asks the signed-in user for consent. */
export function consentPage(transaction: string, client: string, scopes: string[]): string {
  return page(
    'Grant access',
    `<h1>Grant access</h1><p>Signed in as <strong id="user">${CLIENT.user}</strong></p>` +
      `<p>The application <strong>${escape(client)}</strong> asks for access to:</p>` +
      `<ul>${scopes.map((scope) => `<li>${escape(scope)}</li>`).join('')}</ul>` +
      '<form method="post" action="/sap/bc/sec/oauth2/authorize">' +
      `<input type="hidden" name="transaction" value="${escape(transaction)}">` +
      '<button type="submit" name="decision" value="allow">Allow</button>' +
      '<button type="submit" name="decision" value="deny">Deny</button></form>',
  )
}

export const problemPage = (message: string) =>
  page('Error', `<h1>The request is not valid</h1><p>${escape(message)}</p>`)

/** The logon page, which replaces data when a session has ended. */
export const logonPage = page(
  'Logon',
  '<h1>Logon</h1><form><input name="sap-user"><input name="sap-password" type="password"></form>',
)

export const unauthorizedPage = page('Logon failed', '<h1>Anmeldung fehlgeschlagen</h1>')
