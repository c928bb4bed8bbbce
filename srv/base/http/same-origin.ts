import type { IncomingHttpHeaders } from 'node:http'

/** Whether no page of another site has sent the call, as far as its browser says. */
export function isSameOrigin({
  origin,
  host,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
