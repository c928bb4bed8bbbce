// "Find destination" of the SAP Destination service: where an ERP is, and a token for it.
import axios from 'axios'
import cds from '@sap/cds'
import { z } from 'zod'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { freshTokens } from './client.ts'
import { OAuthRefusal } from './refusal.ts'
import { headerOf, renewalOf } from './tokens.ts'

export interface Destination {
  url: string
  /** The value of the Authorization header. */
  header: string
  /** Milliseconds since the epoch. */
  renewAt: number
}

const TIMEOUT_MS = 15_000
/** What names no end, such as a password, is looked up again after this time. */
const LIFE_MS = 300_000

const Found = z.object({
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

/** @throws Fatal where the destination cannot be used as it is; Retriable */
export async function findDestination(name: string): Promise<Destination> {
  const { destinationConfiguration: found, authTokens } = await lookUp(name)
  if ((found.Type ?? 'HTTP') !== 'HTTP' || (found.ProxyType ?? 'Internet') !== 'Internet') {
    throw unusable(name, 'it must be of type HTTP and reached by way of the internet')
  }
  const [token] = authTokens
  if (token?.error)
    throw unusable(name, 'the Destination service got no token for it: see its own check')
  if (token?.http_header?.key.toLowerCase() !== 'authorization') {
    throw unusable(name, 'its authentication must give an Authorization header')
  }
  const { value: header } = token.http_header
  const life = token.expires_in ? token.expires_in * 1000 : LIFE_MS
  return { url: found.URL, header, renewAt: renewalOf(life) }
}

async function lookUp(name: string): Promise<z.infer<typeof Found>> {
  const service = boundService()
  const authorization = await serviceHeader(service)
  const url = `${service.uri}/destination-configuration/v1/destinations/${encodeURIComponent(name)}`
  const answer = await axios
    .get(url, {
      ...{ headers: { authorization }, timeout: TIMEOUT_MS, maxRedirects: 0 },
      validateStatus: () => true,
      proxy: false,
    })
    .catch(() => {
      throw new Retriable('The Destination service did not answer.')
    })
  if (answer.status === 404) throw unusable(name, 'there is none of this name')
  if (answer.status === 401 || answer.status === 403) throw refusedBy()
  const found = answer.status === 200 ? Found.safeParse(answer.data) : null
  if (found?.success) return found.data
  throw new Retriable(`The Destination service gave no usable answer (${answer.status}).`)
}

interface BoundService {
  clientid: string
  clientsecret: string
  /** Of the authorization server. */
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
    ...{ tokenEndpoint: `${url}/oauth/token`, scopes: [] },
  }
  const client = { clientId: clientid, clientSecret: clientsecret }
  try {
    return headerOf(await freshTokens(plan, client, null))
  } catch (error) {
    throw error instanceof OAuthRefusal ? refusedBy() : error
  }
}

const unusable = (name: string, why: string) =>
  new Fatal(
    'destination_unusable',
    `The destination ${name} cannot be used: ${why}.`,
    'options.destination',
  )

const refusedBy = () =>
  new Fatal(
    'destination_service_refused',
    'The Destination service refuses its own binding: renew the binding.',
    'options.destination',
  )
