import { isIPv6 } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from 'express'

/** Of IPv6 a caller has at least a /64, and with it as many addresses as it likes: they count as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return address
  const [start = '', end] = plain.toLowerCase().split('::')
  const [before, after] = [start, end ?? ''].map((part) => part.split(':').filter(Boolean)) as [
    string[],
    string[],
  ]
  const missing = Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** What a caller without a sign-in is counted by. */
export const addressOf = (req: Request) => networkOf(req.ip ?? 'unknown')

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host name or address is this machine alone. */
export const isLoopbackHost = (host: string) => LOOPBACK.test(host)

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
