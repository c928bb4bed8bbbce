// A page of a few sentences, without scripts, for what happens before or beside the apps.
import { createHash } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import { isProduction, settings } from '../settings/config.ts'

export interface Page {
  status: number
  title: string
  /** Paragraphs. */
  text: string[]
  link?: { href: string; text: string }
}

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}' +
  '@media(prefers-color-scheme:dark){body{background:#1c1c1c;color:#eee}a{color:#9cf}}'

const hash = createHash('sha256').update(STYLE).digest('base64')

/** No script, frame, referrer or cache: the address of the page may contain an authorization code. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

export function sendPage(response: Response, { status, title, text, link }: Page) {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
  const paragraphs = text.map((paragraph) => `<p>${escaped(paragraph)}</p>`)
  if (link) paragraphs.push(`<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>`)
  response.status(status).end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Restock</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${paragraphs.join('\n')}
</main>
</body>
</html>
`)
}

/** Without a public address a server of development is reached by plain http. */
const isOverTls = () =>
  !(settings().publicUrl ?? (isProduction() ? 'https:' : 'http:')).startsWith('http:')

/** Over TLS browsers take a cookie of this prefix from this very host alone. */
const fullName = (name: string) => (isOverTls() ? `__Host-${name}` : name)

/** Sent along when a link of a mail leads here, but not with what another site's page asks for. */
const options = (): CookieOptions => ({
  ...{ httpOnly: true, secure: isOverTls(), sameSite: 'lax', path: '/' },
})

export const setCookie = (res: Response, name: string, value: string, maxAge?: number) =>
  void res.cookie(fullName(name), value, { ...options(), maxAge })

export const clearCookie = (res: Response, name: string) =>
  void res.clearCookie(fullName(name), options())

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const start = `${fullName(name)}=`
  const found = headers.cookie?.split(/; */).find((each) => each.startsWith(start))
  try {
    return found && decodeURIComponent(found.slice(start.length))
  } catch {
    return undefined // not one of ours
  }
}
