// Purchase orders of the Import Assistant: one file, a row for each item, the external id on every row.
// docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_N423495.html (purchase orders) and section_1534420642.html
// (single files). By documentation only: docs/guides/hand-over.md.
import { dayColumn, numberColumn, type OrderForm, tableOf, textColumn } from '../order-form.ts'

const REQUIRED = { isRequired: true }
const NAME = 300

const COLUMNS = [
  textColumn('External ID', 100, ({ handOver, order }) => `${handOver}-${order}`, REQUIRED),
  textColumn('Vendor', NAME, ({ supplier }) => supplier, REQUIRED),
  dayColumn('Date', ({ orderedOn }) => orderedOn, REQUIRED),
  textColumn('Currency', 50, ({ currency }) => currency),
  textColumn('Location', NAME, ({ location }) => location, REQUIRED),
  textColumn('Memo', 999, ({ handOver }) => handOver, REQUIRED),
  textColumn('Items : Item', NAME, ({ sku }) => sku, REQUIRED),
  textColumn('Items : Vendor Name', NAME, ({ supplierSku }) => supplierSku),
  numberColumn('Items : Quantity', [12, 5], ({ orderQuantity }) => orderQuantity, REQUIRED),
  textColumn('Items : Units', NAME, ({ orderUnit }) => orderUnit),
  numberColumn('Items : Rate', [12, 8], ({ price }) => price),
  textColumn('Items : Location', NAME, ({ location }) => location, REQUIRED),
  dayColumn('Items : Expected Receipt Date', ({ wantedOn }) => wantedOn, REQUIRED),
]

export const NETSUITE_FORM: OrderForm = {
  formats: ['csv'],
  // As the user's preferences write days.
  dayFormats: ['MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY-MM-DD'],
  orderOf: ({ supplier, currency, location }) => [supplier, currency, location],
  tables: (lines) => [tableOf('Purchase orders', COLUMNS, lines)],
}
