import type { AuthPlan, Connection } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { type S4hanaOptions, s4hanaOptions } from './options.ts'
import {
  BATCH,
  COMPANY,
  CONFIRMATION,
  DELIVERY,
  INFO_RECORD,
  MATERIAL_DOCUMENT,
  CONTRACT,
  PLANNED_ORDER,
  PLANNED_REQUIREMENT,
  PLANT,
  PRODUCT,
  PURCHASE_ORDER_V2,
  PURCHASE_ORDER_V4,
  REQUISITION,
  RESERVATION,
  SALES_ORDER,
  SCHEDULING_AGREEMENT,
  type Service,
  STOCK,
  SUPPLIER,
} from './services.ts'

const AUTHORIZE = '/sap/bc/sec/oauth2/authorize'
const TOKEN = '/sap/bc/sec/oauth2/token'

/** @throws Fatal invalid_address | insecure_address */
export function authPlanOf(connection: Connection): AuthPlan {
  const options = s4hanaOptions.parse(connection.options)
  const address = addressOf(connection)
  const { auth: kind, sap_client: client } = options
  if (kind === 'basic') return { kind }
  const scopes = servicesOf(options).map(({ scope }) => scope)
  const endpoint = (path: string) => {
    const url = address.url(path)
    if (client) url.searchParams.set('sap-client', client)
    return url.href
  }
  if (kind === 'client_credentials') return { kind, tokenEndpoint: endpoint(TOKEN), scopes }
  return {
    kind,
    authorizationEndpoint: endpoint(AUTHORIZE),
    tokenEndpoint: endpoint(TOKEN),
    scopes,
    usesPkce: options.pkce,
    ...(options.issuer !== undefined && { issuer: options.issuer }),
  }
}

export function neededRightsOf(connection: Connection): string[] {
  const options = s4hanaOptions.parse(connection.options)
  return servicesOf(options).map((service) => rightOf(service, options))
}

/** A service's scope; its name for a communication user, which has no scopes. */
export const rightOf = ({ name, scope }: Service, options: S4hanaOptions): string =>
  hasScopes(options) ? scope : name

/**
 * The services that a source with these options reads. With scopes, `auto` orders request V2's scope
 * only, because an unknown scope would make the system refuse the whole consent.
 */
export function servicesOf(options: S4hanaOptions): Service[] {
  const { demand, purchase_orders: orders } = options
  const services = [PRODUCT, PLANT, SUPPLIER, STOCK, INFO_RECORD]
  if (demand === 'deliveries') services.push(DELIVERY)
  if (demand === 'goods_movements' || orders !== 'v4') services.push(MATERIAL_DOCUMENT)
  if (orders === 'v4' || (orders === 'auto' && !hasScopes(options)))
    services.push(PURCHASE_ORDER_V4)
  if (orders !== 'v4') services.push(PURCHASE_ORDER_V2)
  if (options.sales_orders) services.push(SALES_ORDER)
  for (const [option, service] of Object.entries(OPTIONAL))
    if (reads(option as OptionalRead, options)) services.push(service)
  return services
}

/** What few systems grant, by its option: no scope of it is asked for unless somebody wants it. */
const OPTIONAL = {
  reservations: RESERVATION,
  planned_requirements: PLANNED_REQUIREMENT,
  requisitions: REQUISITION,
  planned_orders: PLANNED_ORDER,
  contracts: CONTRACT,
  scheduling_agreements: SCHEDULING_AGREEMENT,
  batches: BATCH,
  countries: COMPANY,
  confirmations: CONFIRMATION,
} satisfies { [Option in keyof S4hanaOptions]?: Service }

export type OptionalRead = keyof typeof OPTIONAL

/** Whether it is read; unless its option says so a communication user tries. */
export const reads = (what: OptionalRead, options: S4hanaOptions): boolean =>
  options[what] ?? !hasScopes(options)

/** A communication user has no scopes; what it may read is found out by trying. */
export const hasScopes = ({ auth }: S4hanaOptions): boolean => auth !== 'basic'

/** Where demand comes from deliveries, nobody was asked for the right to read material documents. */
export const readsReceipts = ({ demand }: S4hanaOptions): boolean => demand === 'goods_movements'
