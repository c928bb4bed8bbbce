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
  if (readsReservations(options)) services.push(RESERVATION)
  if (readsPlannedRequirements(options)) services.push(PLANNED_REQUIREMENT)
  if (readsRequisitions(options)) services.push(REQUISITION)
  if (readsPlannedOrders(options)) services.push(PLANNED_ORDER)
  if (readsContracts(options)) services.push(CONTRACT)
  if (readsSchedulingAgreements(options)) services.push(SCHEDULING_AGREEMENT)
  if (readsBatches(options)) services.push(BATCH)
  if (readsCountries(options)) services.push(COMPANY)
  if (readsConfirmations(options)) services.push(CONFIRMATION)
  return services
}

/** Few systems grant reservations: their scope is asked for only where somebody wants it. */
export const readsReservations = (options: S4hanaOptions): boolean =>
  options.reservations ?? !hasScopes(options)

/** As few grant planned independent requirements … */
export const readsPlannedRequirements = (options: S4hanaOptions): boolean =>
  options.planned_requirements ?? !hasScopes(options)

/** … requisitions … */
export const readsRequisitions = (options: S4hanaOptions): boolean =>
  options.requisitions ?? !hasScopes(options)

/** … planned orders … */
export const readsPlannedOrders = (options: S4hanaOptions): boolean =>
  options.planned_orders ?? !hasScopes(options)

/** … purchase contracts … */
export const readsContracts = (options: S4hanaOptions): boolean =>
  options.contracts ?? !hasScopes(options)

/** … supplier confirmations … */
export const readsConfirmations = (options: S4hanaOptions): boolean =>
  options.confirmations ?? !hasScopes(options)

/** … scheduling agreements … */
export const readsSchedulingAgreements = (options: S4hanaOptions): boolean =>
  options.scheduling_agreements ?? !hasScopes(options)

/** … batches … */
export const readsBatches = (options: S4hanaOptions): boolean =>
  options.batches ?? !hasScopes(options)

/** … and company codes. */
export const readsCountries = (options: S4hanaOptions): boolean =>
  options.countries ?? !hasScopes(options)

/** A communication user has no scopes; what it may read is found out by trying. */
export const hasScopes = ({ auth }: S4hanaOptions): boolean => auth !== 'basic'

/** Where demand comes from deliveries, nobody was asked for the right to read material documents. */
export const readsReceipts = ({ demand }: S4hanaOptions): boolean => demand === 'goods_movements'
