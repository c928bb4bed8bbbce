// "Find destination" of the SAP Destination service: the address of an ERP, and a token for it.
import axios from 'axios'
import cds from '@sap/cds'
import { z } from 'zod'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import { requestTokens } from './client.ts'
import { headerOf, OAuthRefusal, renewalTime } from './tokens.ts'

export interface Destination {
  url: string
  /** The value of the Authorization header. */
  header: string
  /** Milliseconds since the epoch. */
  renewAt: number
}

const TIMEOUT_MS = 15_000
/** Credentials without an expiry, such as a password, are read again after this time. */
const DEFAULT_LIFETIME_MS = 300_000

const DestinationAnswer = z.object({
  destinationConfiguration: z.object({
    Type: z.string().optional(),
    ProxyType: z.string().optional(),
    URL: z.url({ protocol: /^https?$/ }),
  }),
  authTokens: z
    .array(
      z.object({
        error: z.string().optional(),
        expires_in: z.coerce.number().optional(),
        http_header: z.object({ key: z.string(), value: z.string() }).optional(),
      }),
    )
    .default([]),
})

/** @throws Fatal where the destination is missing or unsuitable; Retriable */
export async function findDestination(name: string): Promise<Destination> {
  const { destinationConfiguration: found, authTokens } = await fetchDestination(name)
  if ((found.Type ?? 'HTTP') !== 'HTTP' || (found.ProxyType ?? 'Internet') !== 'Internet') {
    throw unusable(name, 'it must be of type HTTP with proxy type Internet')
  }
  const [token] = authTokens
  if (token?.error)
    throw unusable(
      name,
      'the Destination service got no token for it; check the connection in the BTP cockpit',
    )
  if (token?.http_header?.key.toLowerCase() !== 'authorization') {
    throw unusable(name, 'its authentication must give an Authorization header')
  }
  const { value: header } = token.http_header
  const lifetime = token.expires_in ? token.expires_in * 1000 : DEFAULT_LIFETIME_MS
  return { url: found.URL, header, renewAt: renewalTime(lifetime) }
}

async function fetchDestination(name: string): Promise<z.infer<typeof DestinationAnswer>> {
  const service = boundService()
  const authorization = await serviceHeader(service)
  const url = `${service.uri}/destination-configuration/v1/destinations/${encodeURIComponent(name)}`
  const answer = await axios
    .get(url, {
      headers: { authorization },
      timeout: TIMEOUT_MS,
      maxRedirects: 0,
      validateStatus: () => true,
      proxy: false,
    })
    .catch(() => {
      throw new Retriable('The Destination service did not answer.')
    })
  if (answer.status === 404) throw unusable(name, 'it does not exist')
  if (answer.status === 401 || answer.status === 403) throw bindingRefused()
  const found = answer.status === 200 ? DestinationAnswer.safeParse(answer.data) : null
  if (found?.success) return found.data
  throw new Retriable(`The Destination service gave no usable answer (${answer.status}).`)
}

interface BoundService {
  clientid: string
  clientsecret: string
  /** Address of the authorization server. */
  url: string
  uri: string
}

function boundService(): BoundService {
  const { credentials } =
    (cds.env.requires as Record<string, { credentials?: BoundService } | undefined>).destinations ??
    {}
  if (credentials?.clientid && credentials.clientsecret && credentials.uri) return credentials
  throw new Fatal(
    'destination_service_missing',
    'No Destination service is bound to this application.',
    'options.destination',
  )
}

async function serviceHeader({ clientid, clientsecret, url }: BoundService): Promise<string> {
  const plan = {
    kind: 'client_credentials' as const,
    tokenEndpoint: `${url}/oauth/token`,
    scopes: [],
  }
  const client = { clientId: clientid, clientSecret: clientsecret }
  try {
    return headerOf(await requestTokens(plan, client, null))
  } catch (error) {
    throw error instanceof OAuthRefusal ? bindingRefused() : error
  }
}

const unusable = (name: string, why: string) =>
  new Fatal(
    'destination_unusable',
    `The destination ${name} cannot be used: ${why}.`,
    'options.destination',
  )

const bindingRefused = () =>
  new Fatal(
    'destination_service_refused',
    'The Destination service refuses its own binding: renew the binding.',
    'options.destination',
  )
