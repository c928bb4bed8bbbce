// Purchase orders of the Data Transfer Workbench: a file of documents and one of their lines, each with two rows of headers,
// which are the names of the DI API and those of the database (OPOR, POR1). `LineNum` stays empty where rows are added, and
// its column stays. help.sap.com, SAP Business One SDK Help; "DTW Top Tips", SAP Community, 2009.
// By documentation only: docs/guides/hand-over.md.
import {
  dayColumn,
  firstLines,
  numberColumn,
  type OrderForm,
  tableOf,
  textColumn,
} from '../order-form.ts'
import { numberOfAgreement } from './contracts.ts'

const REQUIRED = { isRequired: true }
const key = ({ order }: { order: number }) => order

const DOCUMENTS = [
  numberColumn(['DocNum', 'DocNum'], [9, 0], key, REQUIRED),
  textColumn(['DocType', 'DocType'], 20, () => 'dDocument_Items'),
  dayColumn(['DocDate', 'DocDate'], ({ orderedOn }) => orderedOn, REQUIRED),
  dayColumn(['DocDueDate', 'DocDueDate'], ({ wantedOn }) => wantedOn, REQUIRED),
  textColumn(['CardCode', 'CardCode'], 15, ({ supplier }) => supplier, REQUIRED),
  textColumn(['NumAtCard', 'NumAtCard'], 100, ({ handOver }) => handOver, REQUIRED),
  textColumn(['DocCurrency', 'DocCur'], 3, ({ currency }) => currency),
]

const LINES = [
  numberColumn(['ParentKey', 'DocNum'], [9, 0], key, REQUIRED),
  textColumn(['LineNum', 'LineNum'], 9, () => null),
  textColumn(['ItemCode', 'ItemCode'], 50, ({ sku }) => sku, REQUIRED),
  numberColumn(['Quantity', 'Quantity'], [13, 6], ({ orderQuantity }) => orderQuantity, REQUIRED),
  // Whether the quantity is in units of the stock, or in those in which the item is bought.
  textColumn(['UseBaseUnits', 'UseBaseUn'], 4, ({ orderUnit, unit }) =>
    orderUnit === unit ? 'tYES' : 'tNO',
  ),
  dayColumn(['ShipDate', 'ShipDate'], ({ wantedOn }) => wantedOn, REQUIRED),
  numberColumn(['UnitPrice', 'PriceBefDi'], [13, 6], ({ price }) => price),
  textColumn(['Currency', 'Currency'], 3, ({ price, currency }) => price && currency),
  textColumn(['WarehouseCode', 'WhsCode'], 8, ({ location }) => location, REQUIRED),
  textColumn(['SupplierCatNum', 'SubCatNum'], 50, ({ supplierSku }) => supplierSku),
  numberColumn(
    ['AgreementNo', 'AgrNo'],
    [9, 0],
    ({ contract }) => contract && numberOfAgreement(contract.document),
  ),
  numberColumn(
    ['AgreementRowNumber', 'AgrLnNum'],
    [9, 0],
    ({ contract }) => contract && contract.line,
  ),
]

export const BUSINESS_ONE_FORM: OrderForm = {
  formats: ['zip', 'xlsx'],
  dayFormats: ['YYYYMMDD'],
  orderOf: ({ supplier, currency }) => [supplier, currency],
  tables: (lines) => [
    tableOf('OPOR - Documents', DOCUMENTS, firstLines(lines)),
    tableOf('POR1 - Document_Lines', LINES, lines),
  ],
}
