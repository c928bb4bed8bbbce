// Purchase requisition items by the names, lengths and digits of API_PURCHASEREQ_PROCESS_SRV, A_PurchaseRequisitionItem, as
// api.sap.com publishes it. By documentation only: docs/guides/hand-over.md.
import { dayColumn, numberColumn, type OrderForm, tableOf, textColumn } from '../order-form.ts'

const REQUIRED = { isRequired: true }

/** The tracking number is copied to the purchase order, which the next sync reads; a long number of a proposal does not fit. */
const TRACKING_LENGTH = 10

const COLUMNS = [
  textColumn('PurchaseRequisitionType', 4, () => 'NB'),
  textColumn('Material', 40, ({ sku }) => sku, REQUIRED),
  textColumn('Plant', 4, ({ location }) => location, REQUIRED),
  numberColumn('RequestedQuantity', [10, 3], ({ orderQuantity }) => orderQuantity, REQUIRED),
  textColumn('BaseUnit', 3, ({ orderUnit }) => orderUnit),
  dayColumn('DeliveryDate', ({ wantedOn }) => wantedOn, REQUIRED),
  textColumn('Supplier', 10, ({ supplier }) => supplier),
  textColumn('SupplierMaterialNumber', 35, ({ supplierSku }) => supplierSku),
  numberColumn('PurchaseRequisitionPrice', [9, 3], ({ price }) => centsOf(price)?.price ?? null),
  numberColumn('PurReqnPriceQuantity', [5, 0], ({ price }) => centsOf(price)?.per ?? null),
  textColumn('PurReqnItemCurrency', 5, ({ price, currency }) => price && currency),
  textColumn('PurchaseContract', 10, ({ contract }) => contract && contract.document),
  textColumn('PurchaseContractItem', 5, ({ contract }) => contract && contract.line),
  textColumn('RequirementTracking', TRACKING_LENGTH, ({ reference, handOver }) =>
    reference.length > TRACKING_LENGTH ? handOver : reference,
  ),
  textColumn('PurReqnExternalReference', 35, ({ handOver }) => handOver),
]

/** A price has two places in the API: what has more is the price of ten, a hundred or more units. */
function centsOf(price: string | null): { price: string; per: number } | null {
  if (price === null) return null
  const [whole = '0', part = ''] = price.split('.')
  const last = [...part].findLastIndex((digit) => digit !== '0')
  const places = Math.max(0, last + 1 - 2)
  const digits = `${whole}${part.padEnd(places + 2, '0').slice(0, places + 2)}`.padStart(3, '0')
  const text = `${digits.slice(0, -2).replace(/^0+(?=\d)/, '')}.${digits.slice(-2)}`
  return { price: text, per: 10 ** places }
}

export const S4HANA_FORM: OrderForm = {
  formats: ['xlsx', 'csv'],
  dayFormats: ['YYYYMMDD', 'YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'],
  orderOf: ({ supplier, currency }) => [supplier, currency],
  tables: (lines) => [tableOf('Purchase requisitions', COLUMNS, lines)],
}
