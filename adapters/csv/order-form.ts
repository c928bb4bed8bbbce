// Plain columns, for files and for databases that are read through views.
import {
  DAY_FORMATS,
  dayColumn,
  numberColumn,
  type OrderForm,
  tableOf,
  textColumn,
} from '../order-form.ts'

const CODE = 100
const NAME = 200
const MONEY = [15, 6] as const
const UNITS = [15, 6] as const

/** Line by line, with the base unit and the order unit beside each other. */
const COLUMNS = [
  textColumn('reference', CODE, ({ reference }) => reference),
  textColumn('hand_over', CODE, ({ handOver }) => handOver),
  textColumn('kind', CODE, ({ kind }) => kind),
  textColumn('supplier', CODE, ({ supplier }) => supplier),
  textColumn('supplier_name', NAME, ({ supplierName }) => supplierName),
  textColumn('sku', CODE, ({ sku }) => sku, { isRequired: true }),
  textColumn('supplier_sku', CODE, ({ supplierSku }) => supplierSku),
  textColumn('name', NAME, ({ name }) => name),
  textColumn('location', CODE, ({ location }) => location, { isRequired: true }),
  textColumn('from_location', CODE, ({ fromLocation }) => fromLocation),
  numberColumn('quantity', UNITS, ({ quantity }) => quantity, { isRequired: true }),
  textColumn('unit', CODE, ({ unit }) => unit),
  numberColumn('order_quantity', UNITS, ({ orderQuantity }) => orderQuantity, {
    isRequired: true,
  }),
  textColumn('order_unit', CODE, ({ orderUnit }) => orderUnit),
  numberColumn('units_per_order_unit', UNITS, ({ unitsPerOrderUnit }) => unitsPerOrderUnit),
  numberColumn('order_price', MONEY, ({ price }) => price),
  numberColumn('value', [17, 2], ({ value }) => value),
  textColumn('currency', 3, ({ currency }) => currency),
  textColumn('contract', CODE, ({ contract }) => contract && contract.document),
  textColumn('contract_line', CODE, ({ contract }) => contract && contract.line),
  numberColumn('over_contract', UNITS, ({ contract }) => contract && contract.over),
  dayColumn('ordered_on', ({ orderedOn }) => orderedOn),
  dayColumn('due', ({ wantedOn }) => wantedOn),
]

export const PLAIN_FORM: OrderForm = {
  formats: ['csv', 'xlsx'],
  dayFormats: ['YYYY-MM-DD', ...DAY_FORMATS.slice(1)],
  takesTransfers: true,
  orderOf: ({ supplier, currency, fromLocation }) => [supplier, currency, fromLocation],
  tables: (lines) => [tableOf('Orders', COLUMNS, lines)],
}
