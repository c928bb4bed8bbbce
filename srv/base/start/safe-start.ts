// What a start needs to be safe. Whatever is missing ends it with one sentence that names the setting and the cure.
import cds from '@sap/cds'
import { plainConnectionFault } from '../database/database-encryption.ts'
import { keyRing } from '../database/secrets/key-ring.ts'
import { isLoopbackHost } from '../http/addresses.ts'
import {
  environment,
  isProduction,
  otherProfiles,
  routeOfPlatform,
  SettingFault,
  settings,
} from '../settings/config.ts'

/** @throws SettingFault */
export function assertSafeStart() {
  const checks = isProduction() ? IN_PRODUCTION : [onlyThisMachine]
  for (const check of checks) {
    const fault = check()
    if (fault) throw new SettingFault(fault)
  }
}

/** Where users are mocked nothing but this machine reaches the service. */
export const listeningHost = () => settings().host ?? (isProduction() ? undefined : '127.0.0.1')

type Check = () => string | false | undefined

const onlyThisMachine: Check = () => {
  const host = listeningHost()!
  return (
    !isLoopbackHost(host) &&
    `RESTOCK_HOST is ${host}, but the users of development have their names as passwords: set NODE_ENV=production, or leave RESTOCK_HOST out.`
  )
}

const profiles: Check = () => {
  const { profiles: names } = cds.env
  const [other] = otherProfiles()
  if (!names.includes('production'))
    return `The profile ${other} is neither development nor production: set NODE_ENV=production, and CDS_ENV=postgres or CDS_ENV=hana.`
  const opposite = names.find((name) => ['development', 'test'].includes(name))
  return (
    opposite &&
    `The profiles production and ${opposite} exclude each other: take ${opposite} out of NODE_ENV and CDS_ENV.`
  )
}

/** In lower case. */
const DEFAULT_PASSWORDS = ['postgres', 'password', 'admin', 'changeme', 'secret']

const database: Check = () => {
  const { kind, credentials = {} } = cds.env.requires.db as {
    kind: string
    credentials?: Partial<Record<'host' | 'hostname' | 'user' | 'username' | 'password', string>>
  }
  if (!['postgres', 'hana'].includes(kind))
    return `The database is ${kind}, which is for development: set CDS_ENV=postgres or CDS_ENV=hana.`
  const { host, hostname = host, user, username = user, password } = credentials
  if (!hostname) {
    return kind === 'postgres'
      ? 'CDS_REQUIRES_DB_CREDENTIALS_HOST is not set: name the PostgreSQL server, with _PORT, _USER, _PASSWORD and _DATABASE.'
      : 'There is no SAP HANA: bind an HDI container, or set CDS_ENV=postgres.'
  }
  const isDefault = password && [...DEFAULT_PASSWORDS, username].includes(String(password))
  return (
    isDefault &&
    'CDS_REQUIRES_DB_CREDENTIALS_PASSWORD is a default password, or the name of its user: give the user of the database one of its own.'
  )
}

const encryptionKey: Check = () => {
  try {
    keyRing()
  } catch (error) {
    return (error as Error).message
  }
}

/** Strategies that take whoever calls, or passwords from the configuration. */
const WITHOUT_PROVIDER = ['mocked', 'basic', 'dummy']

const identityProvider: Check = () => {
  const { issuer, clientId } = settings().identity
  if (issuer) {
    if (!clientId)
      return 'RESTOCK_IDENTITY_CLIENT_ID is not set: register Restock as a client of the identity provider.'
    return !isSafe(issuer) && `RESTOCK_IDENTITY_ISSUER is ${issuer}, but must be an https address.`
  }
  const { kind = '', credentials } = (cds.env.requires.auth ?? {}) as {
    kind?: string
    credentials?: object
  }
  const strategy = kind.replace(/-auth$/, '')
  if (WITHOUT_PROVIDER.includes(strategy))
    return `cds.requires.auth.kind is ${kind}, which is for development: take it out, and set RESTOCK_IDENTITY_ISSUER.`
  return (
    !credentials &&
    'Nobody could sign in: set RESTOCK_IDENTITY_ISSUER and RESTOCK_IDENTITY_CLIENT_ID to those of an OpenID Connect provider, or bind a service of XSUAA or IAS.'
  )
}

const isSafe = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

const publicAddress: Check = () => {
  const address = settings().publicUrl ?? routeOfPlatform()
  if (!address)
    return 'RESTOCK_PUBLIC_URL is not set: name the https address that browsers reach the service by.'
  return !isSafe(address) && `RESTOCK_PUBLIC_URL is ${address}, but must be an https address.`
}

/** A service that believes a proxy which is not there believes whatever a caller says of its address. */
const proxies: Check = () => {
  const { trustProxy, publicUrl } = settings()
  const address = publicUrl ?? routeOfPlatform()!
  if (trustProxy === true)
    return 'RESTOCK_TRUST_PROXY is true, which believes whatever a caller says of its address: name the number of proxies, mostly 1.'
  if (trustProxy === null && !routeOfPlatform())
    return 'RESTOCK_TRUST_PROXY is not set: name the number of proxies before the service, mostly 1.'
  const isProxied = trustProxy === null || (trustProxy !== 0 && trustProxy !== false)
  if (isProxied && address.startsWith('http:'))
    return `RESTOCK_TRUST_PROXY is ${JSON.stringify(trustProxy)}, but no proxy gives RESTOCK_PUBLIC_URL its https: set RESTOCK_TRUST_PROXY=0.`
  return (
    !isProxied &&
    address.startsWith('https:') &&
    'RESTOCK_TRUST_PROXY is 0, but RESTOCK_PUBLIC_URL is https, which a proxy must give: name the number of proxies, mostly 1.'
  )
}

const onlyInDevelopment: Check = () => {
  const { RESTOCK_WEBHOOKS_ALLOW_PRIVATE: allowsPrivate, RESTOCK_RATE_LIMIT: limit } = environment()
  const found = [
    allowsPrivate && 'RESTOCK_WEBHOOKS_ALLOW_PRIVATE',
    limit === 'off' && 'RESTOCK_RATE_LIMIT',
    settings().demo && 'RESTOCK_DEMO',
  ].find((name) => name)
  return found && `${found} is set, which is for development and tests: take it out.`
}

const IN_PRODUCTION = [
  ...[profiles, database, plainConnectionFault, encryptionKey, identityProvider],
  ...[publicAddress, proxies, onlyInDevelopment],
]

// Instances tell by the time whether a lease of another one has ended: their clocks must agree.

/** By which clocks may differ without a word. */
const TOLERATED_MS = 2_000

const NOW: Record<string, string> = {
  postgres: `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  hana: `SELECT to_char(CURRENT_UTCTIMESTAMP, 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS NOW FROM DUMMY`,
}

/** Warns where this machine's clock and that of the database differ. */
export async function compareClocks(now = Date.now) {
  const seconds = await secondsAhead(now)
  if (Math.abs(seconds) * 1000 <= TOLERATED_MS) return
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  cds
    .log('restock')
    .warn(
      `the clock of this machine is ${Math.abs(seconds)} s ${direction} the database's: set both by one time server, or instances take work from each other.`,
    )
}

/** By how much this machine's clock is ahead; below zero where it is behind. The time that the answer took is no difference. */
async function secondsAhead(now: () => number): Promise<number> {
  const query = NOW[cds.db.kind]
  if (!query) return 0
  await cds.run(query) // May have to connect first.
  const before = now()
  const [row] = (await cds.run(query)) as Record<string, string>[]
  const after = now()
  const theirs = Date.parse(Object.values(row!)[0]!)
  const difference = theirs < before ? before - theirs : Math.min(0, after - theirs)
  return Math.round(difference / 100) / 10
}
