// Settings that can be changed while the sandbox runs.

/** The sandbox's only OAuth client and communication user. */
export const CLIENT = { id: 'RESTOCK', secret: 'sandbox-secret', user: 'BUYER01' } as const

/** The scope of each service. */
export const SCOPES: Record<string, string> = {
  API_PRODUCT_SRV: 'API_PRODUCT_SRV_0001',
  API_PLANT_SRV: 'API_PLANT_SRV_0001',
  API_MATERIAL_STOCK_SRV: 'API_MATERIAL_STOCK_SRV_0001',
  API_MATERIAL_DOCUMENT_SRV: 'API_MATERIAL_DOCUMENT_SRV_0001',
  API_PURCHASEORDER_PROCESS_SRV: 'API_PURCHASEORDER_PROCESS_SRV_0001',
  API_PURCHASEORDER_2: 'API_PURCHASEORDER_2_0001',
  API_SUPPLIERCONFIRMATION: 'API_SUPPLIERCONFIRMATION_0001',
  API_SALES_ORDER_SRV: 'API_SALES_ORDER_SRV_0001',
  API_RESERVATION_DOCUMENT_SRV: 'API_RESERVATION_DOCUMENT_SRV_0001',
  API_PLND_INDEP_RQMT_SRV: 'API_PLND_INDEP_RQMT_SRV_0001',
  API_PURCHASEREQ_PROCESS_SRV: 'API_PURCHASEREQ_PROCESS_SRV_0001',
  API_PLANNED_ORDERS: 'API_PLANNED_ORDERS_0001',
  API_PURCHASECONTRACT_PROCESS_SRV: 'API_PURCHASECONTRACT_PROCESS_SRV_0001',
  API_SCHED_AGRMT_PROCESS_SRV: 'API_SCHED_AGRMT_PROCESS_SRV_0001',
  API_BATCH_SRV: 'API_BATCH_SRV_0001',
  API_COMPANYCODE_SRV: 'API_COMPANYCODE_SRV_0001',
  API_INFORECORD_PROCESS_SRV: 'API_INFORECORD_PROCESS_SRV_0001',
  API_BUSINESS_PARTNER: 'API_BUSINESS_PARTNER_0001',
  API_OUTBOUND_DELIVERY_SRV: 'API_OUTBOUND_DELIVERY_SRV_0002',
}

export type AuthKind = 'authorization_code' | 'client_credentials' | 'basic'

export interface Throttle {
  /** Limits of concurrent data requests, and of those started per second; more are refused. */
  concurrent?: number
  perSecond?: number
  status?: 429 | 503
  retryAfter?: 'none' | 'seconds' | 'date'
  /** Seconds in the Retry-After header. Default 1. */
  seconds?: number
}

export interface Behaviour {
  /** Whether the V4 purchase order service exists; otherwise it answers 404 and its scope is unknown. */
  v4: boolean
  /** The same for the V2 purchase order service. */
  v2: boolean
  /** `server`: next-links and the page sizes below; `none`: all rows, unless the request has `$top`. */
  paging: 'server' | 'none'
  /** Rows per page without `$top` in V2; in V4 it is always 100. */
  defaultPage: number
  /** Most rows of a page, even with a larger `$top`. */
  maxPage: number
  /** Whether V2 rows carry `__metadata`. */
  rowMetadata: boolean
  auth: AuthKind[]
  pkce: 'required' | 'accepted' | 'ignored'
  /** What answers of the consent page name in `iss` (RFC 9207): nothing, the sandbox's address, or another server. */
  issuer: 'none' | 'own' | 'other'
  /** `allow` and `deny` answer the consent page without a person. */
  consent: 'ask' | 'allow' | 'deny'
  /** Allowed prefixes of redirect URIs. */
  redirectUris: string[]
  tokenSeconds: number
  /** How long access tokens stay valid after `expires_in`. */
  tokenGraceSeconds: number
  /** A refresh returns a new refresh token and invalidates the old one. */
  rotateRefresh: boolean
  /** Every refresh answers `invalid_grant`. */
  refreshRefused: boolean
  /** Scopes that are granted without being requested, and requested ones that are not granted. */
  grantExtra: string[]
  grantWithout: string[]
  /** Services that answer 403, by technical name. */
  forbidden: string[]
  throttle: Throttle | null
  /** Seconds added to the Date header. */
  clockSkewSeconds: number
  /** Delay before every data answer. */
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
  issuer: 'none',
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

/** Technical names of services that do not exist. */
export const notOffered = ({ v2, v4 }: Behaviour): string[] => [
  ...(v2 ? [] : ['API_PURCHASEORDER_PROCESS_SRV']),
  ...(v4 ? [] : ['API_PURCHASEORDER_2']),
]

/** The scopes that are registered for the client. */
export const knownScopes = (behaviour: Behaviour): string[] =>
  Object.entries(SCOPES)
    .filter(([service]) => !notOffered(behaviour).includes(service))
    .map(([, scope]) => scope)
