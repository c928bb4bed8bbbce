import type { CookieOptions, Request, Response } from 'express'
import { isProduction, settings } from '../settings/config.ts'

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
