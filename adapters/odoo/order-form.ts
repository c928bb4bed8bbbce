// Requests for quotation with their lines, as the import of a list takes them: what is of the order stands on the row of its
// first line alone. odoo/documentation, content/applications/essentials/export_import_data.rst.
// By documentation only: docs/guides/hand-over.md.
import {
  type FormColumn,
  numberColumn,
  onFirstLine,
  type OrderForm,
  type PlacedLine,
  tableOf,
  textColumn,
} from '../order-form.ts'

const REQUIRED = { isRequired: true }

/** Odoo keeps times in UTC: at noon it is the same day nearly everywhere. */
const noon = (day: string) => `${day} 12:00:00`

const timeColumn = (name: string, value: FormColumn['value'], more = {}): FormColumn => ({
  ...{ names: [name], kind: 'time' as const, value, ...more },
})

const ORDER = [
  textColumn('id', 200, ({ handOver, order }) => `restock_${handOver}_${order}`, REQUIRED),
  textColumn('partner_id', 200, ({ supplierName, supplier }) => supplierName ?? supplier, REQUIRED),
  textColumn('origin', 100, ({ handOver }) => handOver, REQUIRED),
  timeColumn('date_order', ({ orderedOn }) => noon(orderedOn), REQUIRED),
  textColumn('currency_id', 3, ({ currency }) => currency),
]

/** Where goods are delivered to: only with several warehouses, since the import empties what an empty cell stands for. */
const DELIVER_TO = textColumn(
  'picking_type_id',
  250,
  ({ locationName, location }) => `${locationName ?? location}: Receipts`,
)

/** The agreement is one of the whole order. Its column is there only where an order has one, since the field is that of a module. */
const AGREEMENT = textColumn('requisition_id', 200, ({ contract }) => contract && contract.document)

const LINES = [
  textColumn('order_line/product_id', 200, ({ sku }) => sku, REQUIRED),
  textColumn('order_line/name', 1000, lineText, REQUIRED),
  numberColumn('order_line/product_qty', [12, 6], ({ orderQuantity }) => orderQuantity, REQUIRED),
  textColumn('order_line/product_uom', 100, ({ orderUnit }) => orderUnit, REQUIRED),
  numberColumn('order_line/price_unit', [12, 6], ({ price }) => price ?? '0', REQUIRED),
  timeColumn('order_line/date_planned', ({ wantedOn }) => noon(wantedOn), REQUIRED),
]

/** Odoo has no field for the supplier's own number on a line: its own lines name it in their text. */
function lineText({ name, sku, supplierSku }: PlacedLine): string {
  const text = name ?? sku
  return supplierSku ? `[${supplierSku}] ${text}` : text
}

export const ODOO_FORM: OrderForm = {
  formats: ['xlsx', 'csv'],
  dayFormats: ['YYYY-MM-DD'],
  orderOf: ({ supplier, currency, location, contract }) => [
    ...[supplier, currency, location],
    contract && contract.document,
  ],
  tables(lines) {
    const isOfOne = new Set(lines.map(({ location }) => location)).size < 2
    const isAgreed = lines.some(({ contract }) => contract)
    const header = [...ORDER, ...(isOfOne ? [] : [DELIVER_TO]), ...(isAgreed ? [AGREEMENT] : [])]
    return [tableOf('purchase.order', [...header.map(onFirstLine), ...LINES], lines)]
  },
}
