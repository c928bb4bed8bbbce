import type { ODataService } from '../odata/query.ts'

/** An OData service of S/4HANA. */
export interface Service extends ODataService {
  /** Technical name, as in its scope and in SAP's documentation. */
  name: string
  /** OAuth scope for reading the service. */
  scope: string
}

const all: Service[] = []
/** All services that are read. */
export const SERVICES: readonly Service[] = all

function read(service: Service): Service {
  all.push(service)
  return service
}

const v2 = (name: string, release = '0001') =>
  read({
    name,
    scope: `${name}_${release}`,
    path: `/sap/opu/odata/sap/${name}${release === '0001' ? '' : `;v=${release}`}`,
    version: 2,
  })

/** @param place the service group and definition */
const v4 = (name: string, place: string) =>
  read({ name, scope: `${name}_0001`, path: `/sap/opu/odata4/sap/${place}/0001`, version: 4 })

export const PRODUCT = v2('API_PRODUCT_SRV')
export const PLANT = v2('API_PLANT_SRV')
export const SUPPLIER = v2('API_BUSINESS_PARTNER')
export const STOCK = v2('API_MATERIAL_STOCK_SRV')
export const INFO_RECORD = v2('API_INFORECORD_PROCESS_SRV')
export const MATERIAL_DOCUMENT = v2('API_MATERIAL_DOCUMENT_SRV')
export const DELIVERY = v2('API_OUTBOUND_DELIVERY_SRV', '0002')
export const SALES_ORDER = v2('API_SALES_ORDER_SRV')
export const RESERVATION = v2('API_RESERVATION_DOCUMENT_SRV')
export const PLANNED_REQUIREMENT = v2('API_PLND_INDEP_RQMT_SRV')
export const REQUISITION = v2('API_PURCHASEREQ_PROCESS_SRV')
export const PLANNED_ORDER = v2('API_PLANNED_ORDERS')
export const CONTRACT = v2('API_PURCHASECONTRACT_PROCESS_SRV')
export const SCHEDULING_AGREEMENT = v2('API_SCHED_AGRMT_PROCESS_SRV')
export const BATCH = v2('API_BATCH_SRV')
export const COMPANY = v2('API_COMPANYCODE_SRV')
export const PURCHASE_ORDER_V2 = v2('API_PURCHASEORDER_PROCESS_SRV')
export const PURCHASE_ORDER_V4 = v4(
  'API_PURCHASEORDER_2',
  'api_purchaseorder_2/srvd_a2x/sap/purchaseorder',
)
export const CONFIRMATION = v4(
  'API_SUPPLIERCONFIRMATION',
  'api_supplierconfirmation/srvd_a2x/sap/supplierconfirmation',
)
