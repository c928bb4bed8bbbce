import { type LookupAddress } from 'node:dns'
import { lookup as lookupName } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isProduction } from '../cap/profiles.ts'
import { environment } from '../config.ts'
import { Refusal } from '../errors.ts'
import { isLocalName, isPublicAddress } from './addresses.ts'

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

export const resolveName: Resolve = (host) => lookupName(host, { all: true, verbatim: true })

/** Creating a webhook does not wait for a slow name server, because each delivery checks the target. */
const LOOKUP_MS = 2_000

/** `RESTOCK_WEBHOOKS_ALLOW_PRIVATE=true`: private addresses and plain HTTP, never in production. */
export const mayBePrivate = () => environment().RESTOCK_WEBHOOKS_ALLOW_PRIVATE && !isProduction()

const refusal = (why: string) =>
  new Refusal('webhook_target_refused', `url: ${why}`, { target: 'url' })

/** The host of a URL as it is looked up: without the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').toLowerCase()

/**
 * The URL in its normal form, in which an IPv4 address in whatever notation is four decimal numbers.
 * @throws Refusal invalid_parameter, webhook_target_refused
 */
export function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    const message = 'url: must be an https URL without user and password'
    throw new Refusal('invalid_parameter', message, { target: 'url' })
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
export async function allowedAddresses(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolve(host)
  if (!mayBePrivate() && addresses.some(({ address }) => !isPublicAddress(address))) {
    throw refusal('this host has an address that is not one of the public internet')
  }
  return addresses
}

/**
 * What a webhook may be created with. A name that is not found now may be there at the first delivery.
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
