// What can be switched on the running sandbox.

/** The one client and communication user that the sandbox knows. */
export const CLIENT = { id: 'RESTOCK', secret: 'sandbox-secret', user: 'BUYER01' } as const

/** The scope that opens a service. */
export const SCOPES: Record<string, string> = {
  API_PRODUCT_SRV: 'API_PRODUCT_SRV_0001',
  API_PLANT_SRV: 'API_PLANT_SRV_0001',
  API_MATERIAL_STOCK_SRV: 'API_MATERIAL_STOCK_SRV_0001',
  API_MATERIAL_DOCUMENT_SRV: 'API_MATERIAL_DOCUMENT_SRV_0001',
  API_PURCHASEORDER_PROCESS_SRV: 'API_PURCHASEORDER_PROCESS_SRV_0001',
  API_PURCHASEORDER_2: 'API_PURCHASEORDER_2_0001',
  API_INFORECORD_PROCESS_SRV: 'API_INFORECORD_PROCESS_SRV_0001',
  API_BUSINESS_PARTNER: 'API_BUSINESS_PARTNER_0001',
  API_OUTBOUND_DELIVERY_SRV: 'API_OUTBOUND_DELIVERY_SRV_0002',
}

export type AuthKind = 'authorization_code' | 'client_credentials' | 'basic'

export interface Throttle {
  /** More data requests than these at once, or started within a second, are refused. */
  concurrent?: number
  perSecond?: number
  status?: 429 | 503
  retryAfter?: 'none' | 'seconds' | 'date'
  /** What Retry-After says. Default 1. */
  seconds?: number
}

export interface Behaviour {
  /** Whether the V4 purchase orders are offered; otherwise 404, and their scope is not known. */
  v4: boolean
  /** The same of the V2 purchase orders. */
  v2: boolean
  /** `server`: next-links, pages as below; `none`: all that `$top` does not cut. */
  paging: 'server' | 'none'
  /** Rows of a page without `$top` in V2; the V4 service's is 100. */
  defaultPage: number
  /** Rows of a page at most, whatever `$top` says. */
  maxPage: number
  /** Whether V2 rows carry `__metadata`. */
  rowMetadata: boolean
  auth: AuthKind[]
  pkce: 'required' | 'accepted' | 'ignored'
  /** What the consent page does without a person. */
  consent: 'ask' | 'allow' | 'deny'
  /** Any that starts with one of these may be redirected to. */
  redirectUris: string[]
  tokenSeconds: number
  /** For how long access tokens are taken beyond the end that was named. */
  tokenGraceSeconds: number
  /** A refresh gives a new refresh token and the old one ends. */
  rotateRefresh: boolean
  /** Every refresh answers `invalid_grant`. */
  refreshRefused: boolean
  /** Scopes granted though not asked for, and asked for though not granted. */
  grantExtra: string[]
  grantWithout: string[]
  /** Services that answer 403, by technical name. */
  forbidden: string[]
  throttle: Throttle | null
  /** Added to the Date header. */
  clockSkewSeconds: number
  /** Before every data answer. */
  latencyMs: number
}

export const DEFAULTS: Behaviour = {
  v4: true,
  v2: true,
  paging: 'server',
  defaultPage: 1000,
  maxPage: 5000,
  rowMetadata: true,
  auth: ['authorization_code', 'client_credentials', 'basic'],
  pkce: 'ignored',
  consent: 'ask',
  redirectUris: ['http://localhost:', 'http://127.0.0.1:'],
  tokenSeconds: 3600,
  tokenGraceSeconds: 0,
  rotateRefresh: true,
  refreshRefused: false,
  grantExtra: [],
  grantWithout: [],
  forbidden: [],
  throttle: null,
  clockSkewSeconds: 0,
  latencyMs: 0,
}

/** Services that the system does not offer, by technical name. */
export const notOffered = ({ v2, v4 }: Behaviour): string[] => [
  ...(v2 ? [] : ['API_PURCHASEORDER_PROCESS_SRV']),
  ...(v4 ? [] : ['API_PURCHASEORDER_2']),
]

/** The scopes that are registered for the client. */
export const knownScopes = (behaviour: Behaviour): string[] =>
  Object.entries(SCOPES)
    .filter(([service]) => !notOffered(behaviour).includes(service))
    .map(([, scope]) => scope)
