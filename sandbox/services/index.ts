import { SCOPES } from '../behaviour.ts'
import { deliveries } from './delivery.ts'
import { infoRecords } from './info-record.ts'
import { materialDocuments } from './documents.ts'
import { partners } from './partner.ts'
import { plannedRequirements } from './planned-requirement.ts'
import {
  batches,
  confirmations,
  contracts,
  plannedOrders,
  requisitions,
  schedulingAgreements,
} from './draft.ts'
import { companies, plants } from './plant.ts'
import { products } from './product.ts'
import { purchaseOrders, purchaseOrdersV4 } from './purchase-order.ts'
import { reservations } from './reservation.ts'
import { salesOrders } from './sales-order.ts'
import { stock } from './stock.ts'
import type { EntitySet, Service } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const V2 = '/sap/opu/odata/sap'
const V4 = '/sap/opu/odata4/sap'

/** All services that the sandbox can offer. */
export function services(world: World): Service[] {
  const v2 = (name: string, sets: EntitySet[], path = name): Service =>
    service(name, `${V2}/${path}`, 2, sets)
  const v4 = (name: string, path: string, sets: EntitySet[]): Service =>
    service(name, `${V4}/${path}`, 4, sets)
  return [
    v2('API_PRODUCT_SRV', products(world)),
    v2('API_PLANT_SRV', plants(world)),
    v2('API_MATERIAL_STOCK_SRV', stock(world)),
    v2('API_MATERIAL_DOCUMENT_SRV', materialDocuments(world)),
    v2('API_PURCHASEORDER_PROCESS_SRV', purchaseOrders(world)),
    v2('API_SALES_ORDER_SRV', salesOrders(world)),
    v2('API_RESERVATION_DOCUMENT_SRV', reservations(world)),
    v2('API_PLND_INDEP_RQMT_SRV', plannedRequirements(world)),
    v2('API_PURCHASEREQ_PROCESS_SRV', requisitions(world)),
    v2('API_PLANNED_ORDERS', plannedOrders(world)),
    v2('API_PURCHASECONTRACT_PROCESS_SRV', contracts(world)),
    v2('API_SCHED_AGRMT_PROCESS_SRV', schedulingAgreements(world)),
    v2('API_BATCH_SRV', batches(world)),
    v2('API_COMPANYCODE_SRV', companies(world)),
    v2('API_INFORECORD_PROCESS_SRV', infoRecords(world)),
    v2('API_BUSINESS_PARTNER', partners(world)),
    v2('API_OUTBOUND_DELIVERY_SRV', deliveries(world), 'API_OUTBOUND_DELIVERY_SRV;v=0002'),
    v4(
      'API_PURCHASEORDER_2',
      'api_purchaseorder_2/srvd_a2x/sap/purchaseorder/0001',
      purchaseOrdersV4(world),
    ),
    v4(
      'API_SUPPLIERCONFIRMATION',
      'api_supplierconfirmation/srvd_a2x/sap/supplierconfirmation/0001',
      confirmations(world),
    ),
  ]
}

function service(name: string, path: string, version: 2 | 4, sets: EntitySet[]): Service {
  if (!SCOPES[name]) throw new Error(`${name} has no scope`)
  return { name, path, version, sets: new Map(sets.map((set) => [set.name, set])) }
}
