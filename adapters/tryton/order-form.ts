// Purchases with their lines, as "Import from CSV" of the client takes them by the names of fields: linked records by code,
// symbol or name, what is of the purchase on the row of its first line alone (trytond, ModelStorage.import_data).
// test/tryton imports it into a real Tryton.
import {
  dayColumn,
  numberColumn,
  onFirstLine,
  type OrderForm,
  tableOf,
  textColumn,
} from '../order-form.ts'

const REQUIRED = { isRequired: true }

const PURCHASE = [
  textColumn('party', 200, ({ supplier }) => supplier, REQUIRED),
  // An address is found by its party too, as long as that has one.
  textColumn('invoice_address', 200, ({ supplier }) => supplier, REQUIRED),
  textColumn('reference', 100, ({ handOver }) => handOver, REQUIRED),
  textColumn('warehouse', 200, ({ location }) => location, REQUIRED),
  textColumn('purchase_date', 10, ({ orderedOn }) => orderedOn, REQUIRED),
]

const LINES = [
  textColumn('lines/product', 200, ({ sku }) => sku, REQUIRED),
  numberColumn('lines/quantity', [12, 6], ({ orderQuantity }) => orderQuantity, REQUIRED),
  textColumn('lines/unit', 100, ({ orderUnit }) => orderUnit, REQUIRED),
  numberColumn('lines/unit_price', [12, 6], ({ price }) => price ?? '0', REQUIRED),
  textColumn('lines/delivery_date_edit', 5, () => 'true'),
  dayColumn('lines/delivery_date_store', ({ wantedOn }) => wantedOn, REQUIRED),
  textColumn('lines/description', 300, ({ supplierSku }) => supplierSku),
]

export const TRYTON_FORM: OrderForm = {
  formats: ['csv'],
  dayFormats: ['YYYY-MM-DD'],
  orderOf: ({ supplier, currency, location }) => [supplier, currency, location],
  tables: (lines) => [
    tableOf('purchase.purchase', [...PURCHASE.map(onFirstLine), ...LINES], lines),
  ],
}
