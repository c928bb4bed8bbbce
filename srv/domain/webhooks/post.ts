// To which addresses an event may be sent: those of the public internet, and no others.
import type { LookupAddress } from 'node:dns'
import { lookup as lookupName } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import axios from 'axios'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { environment, isProduction } from '../../base/settings/config.ts'

/** IANA IPv4 special-purpose address registry, multicast and reserved ranges included. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Within 2000::/3, the only global unicast addresses: protocol assignments and Teredo, documentation, 6to4. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const notPublic = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_V4) notPublic.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(net, prefix, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an address in its usual text form is one of the public internet; an IPv4 one within IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) {
    return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
  }
  return isIP(address) === 4 && !notPublic.check(address, 'ipv4')
}

const LOCAL_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)$/

/** Whether a host name is one that only a local network knows. */
const isLocalName = (host: string) =>
  !host.replace(/\.$/, '').includes('.') || LOCAL_NAMES.test(host.replace(/\.$/, ''))

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveName: Resolve = (host) => lookupName(host, { all: true, verbatim: true })

/** Creating a webhook does not wait for a slow name server, because each delivery checks the target. */
const LOOKUP_MS = 2_000

/** `RESTOCK_WEBHOOKS_ALLOW_PRIVATE=true`: private addresses and plain HTTP, never in production. */
const mayBePrivate = () => environment().RESTOCK_WEBHOOKS_ALLOW_PRIVATE && !isProduction()

const refusal = (why: string) =>
  new Refusal('webhook_target_refused', `url: ${why}`, { target: 'url' })

/** The host of a URL as it is looked up: without the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').toLowerCase()

/**
 * The URL in its normal form, in which an IPv4 address in whatever notation is four decimal numbers.
 * @throws Refusal invalid_parameter, webhook_target_refused
 */
function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw invalidParameter('url', 'must be an https URL without user and password')
  }
  if (mayBePrivate()) return url
  if (url.protocol !== 'https:') throw refusal('only https is sent to')
  const host = hostOf(url)
  const isRefused = isIP(host) ? !isPublicAddress(host) : isLocalName(host)
  if (isRefused) throw refusal('this host is not one of the public internet')
  return url
}

/**
 * The addresses that may be connected to; each of the host's must be public.
 * @throws Refusal webhook_target_refused
 */
async function allowedAddresses(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolve(host)
  if (!mayBePrivate() && addresses.some(({ address }) => !isPublicAddress(address))) {
    throw refusal('this host has an address that is not one of the public internet')
  }
  return addresses
}

/**
 * Checks the target of a new webhook. A name that cannot be resolved yet is accepted.
 * @throws Refusal invalid_parameter, webhook_target_refused
 */
export async function checkTarget(text: string, resolve: Resolve = resolveName): Promise<string> {
  const url = parseTarget(text)
  if (mayBePrivate()) return url.href
  const found = allowedAddresses(hostOf(url), resolve).catch((error) => {
    if (error instanceof Refusal) throw error
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((done) => (timer = setTimeout(done, LOOKUP_MS)))
  await Promise.race([found, late]).finally(() => clearTimeout(timer))
  return url.href
}

// Calls a receiver at an address that was checked, without a proxy and without following redirects.

const TIMEOUT_MS = 15_000
const EXCERPT = 200
/** How much of an answer is read, so that the receiver can end it normally. */
const READ_BYTES = 65_536

export interface Outcome {
  /** Null without an answer. */
  status: number | null
  /** The beginning of the answer's body, or what went wrong; null after a success. */
  problem: string | null
  /** The answer's header. */
  retryAfter?: string
}

interface Options {
  signal: AbortSignal
  resolve?: Resolve
  timeoutMs?: number
}

/** Posts a body. A refused target or a receiver that does not answer is an outcome, no error. */
export async function postEvent(
  target: string,
  body: string,
  headers: Record<string, string>,
  { signal, resolve = resolveName, timeoutMs = TIMEOUT_MS }: Options,
): Promise<Outcome> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { href } = parseTarget(target)
    const lookup = checkedLookup(resolve)
    const response = await axios.post<Readable>(href, body, {
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Restock-Webhooks/1',
        ...headers,
      },
      ...{ signal: deadline, proxy: false, maxRedirects: 0, decompress: false },
      ...{ responseType: 'stream', validateStatus: () => true, transformRequest: [] },
      httpAgent: new http.Agent({ keepAlive: false, lookup }),
      httpsAgent: new https.Agent({ keepAlive: false, lookup }),
    })
    const text = await beginningOf(response.data, deadline)
    const { status } = response
    const isSuccess = status >= 200 && status < 300
    const retryAfter = response.headers['retry-after'] as string | undefined
    return { status, problem: isSuccess ? null : text.slice(0, EXCERPT), retryAfter }
  } catch (error) {
    if (signal.aborted) throw error
    return { status: null, problem: describeError(error as Error, timeoutMs).slice(0, EXCERPT) }
  }
}

/** Resolves and checks the addresses. The connection is made to one of them, even if DNS changes meanwhile. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    allowedAddresses(host, resolve).then(
      (found) => answerLookup(found, options.all === true, callback),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

type Answer = (error: Error | null, found: LookupAddress[] | string, family?: number) => void

function answerLookup(found: LookupAddress[], all: boolean, callback: Answer) {
  if (!found.length) return callback(new Error('The host has no address.'), '', 0)
  if (all) return callback(null, found)
  return callback(null, found[0]!.address, found[0]!.family)
}

async function beginningOf(stream: Readable, deadline: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => stream.destroy()
  deadline.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size < EXCERPT * 4) chunks.push(chunk)
      size += chunk.length
      if (size > READ_BYTES) break
    }
  } catch {
    // The status is known already: an incomplete body changes nothing.
  } finally {
    deadline.removeEventListener('abort', stop)
    stream.destroy()
  }
  // The database cannot store a NUL.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').trim()
}

function describeError(error: Error & { code?: string }, timeoutMs: number): string {
  const cause = (error.cause ?? error) as Error & { code?: string }
  if (error.code === 'ERR_CANCELED' || error.name === 'TimeoutError') {
    return `No answer within ${timeoutMs / 1000} seconds.`
  }
  return cause.message || cause.code || error.message || 'The connection failed.'
}
