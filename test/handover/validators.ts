// What each ERP's import takes, cell by cell, written down from its published documentation and not from the forms:
// docs/guides/hand-over.md names the pages. A validator answers the faults of a file.
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

type Cell = string | number | Date | null
type Rule = (cell: Cell) => boolean

const isEmpty = (cell: Cell) => cell === null || cell === ''
const text =
  (most: number): Rule =>
  (cell) =>
    isEmpty(cell) || (String(cell).length <= most && !/[\r\n\t]/.test(String(cell)))
const needed =
  (rule: Rule): Rule =>
  (cell) =>
    !isEmpty(cell) && rule(cell)
const number =
  (before: number, after: number): Rule =>
  (cell) =>
    isEmpty(cell) ||
    new RegExp(`^\\d{1,${before}}${after ? `(\\.\\d{1,${after}})?` : ''}$`).test(String(cell))
const like =
  (pattern: RegExp): Rule =>
  (cell) =>
    isEmpty(cell) || pattern.test(String(cell))
const oneOf =
  (...values: string[]): Rule =>
  (cell) =>
    values.includes(String(cell))
const DAY = /^\d{4}-\d{2}-\d{2}$/
const date: Rule = (cell) =>
  isEmpty(cell) || (cell instanceof Date ? cell.getUTCHours() === 0 : DAY.test(String(cell)))

export interface FileTable {
  name: string
  header: string[][]
  rows: Cell[][]
}

interface Columns {
  /** Rows of headers. */
  depth?: number
  columns: Record<string, Rule>
}

function faultsOf(table: FileTable, { depth = 1, columns }: Columns): string[] {
  const names = table.header[0]!
  const unknown = names.filter((name) => !columns[name]).map((name) => `${name} is no column`)
  const faults = table.header.length === depth ? unknown : [`${table.header.length} headers`]
  table.rows.forEach((row, at) => {
    if (row.length !== names.length) faults.push(`row ${at + 1} has ${row.length} cells`)
    names.forEach((name, column) => {
      if (columns[name] && !columns[name](row[column] ?? null))
        faults.push(`row ${at + 1}: ${name} is ${String(row[column])}`)
    })
  })
  return faults
}

export const column = ({ header, rows }: FileTable, name: string) =>
  rows.map((row) => row[header[0]!.indexOf(name)] ?? null)

export function csvTable(bytes: Buffer, depth = 1, name = ''): FileTable {
  const rows: string[][] = parse(bytes)
  return { name, header: rows.slice(0, depth), rows: rows.slice(depth) }
}

/** The files of an archive, read as APPNOTE.TXT lays it out. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const [extra, note] = [bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)]
    const start = bytes.readUInt32LE(at + 42)
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString()
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    files.set(name, inflateRawSync(bytes.subarray(data, data + packed)))
    at += 46 + nameLength + extra + note
  }
  return files
}

export async function workbookTables(bytes: Buffer): Promise<FileTable[]> {
  const { default: readWorkbook } = await import('read-excel-file/node')
  const sheets = (await readWorkbook(bytes)) as unknown as { sheet: string; data: Cell[][] }[]
  return sheets.map(({ sheet, data }) => ({
    name: sheet,
    header: [data[0]!.map(String)],
    rows: data.slice(1),
  }))
}

/** Tables of a package of Business Central, by their numbers. */
export function packageTables(bytes: Buffer): FileTable[] {
  const xml = gunzipSync(bytes).toString('utf16le')
  const decode = (value: string) =>
    value
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  return [...xml.matchAll(/<(\w+)List><TableID>(\d+)<\/TableID>(.*?)<\/\1List>/gs)].map(
    ([, element, id, body]) => {
      const records = [...body!.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
        ([, record]) =>
          [...record!.matchAll(/<(\w+)((?: \w+="\d+")*)>([^<]*)<\/\1>/g)].map(
            ([, name, , value]) => [name!, decode(value!)] as const,
          ),
      )
      const header = [records[0]!.map(([name]) => name)]
      return { name: id!, header, rows: records.map((record) => record.map(([, value]) => value)) }
    },
  )
}

// Each with the source of its facts.

/** A_PurchaseRequisitionItem of API_PURCHASEREQ_PROCESS_SRV on api.sap.com: names, lengths, digits. */
const S4HANA = {
  columns: {
    PurchaseRequisitionType: needed(text(4)),
    Material: needed(text(40)),
    Plant: needed(text(4)),
    RequestedQuantity: needed(number(10, 3)),
    BaseUnit: text(3),
    DeliveryDate: needed(date),
    Supplier: text(10),
    SupplierMaterialNumber: text(35),
    PurchaseRequisitionPrice: number(9, 3),
    PurReqnPriceQuantity: number(5, 0),
    PurReqnItemCurrency: like(/^[A-Z]{3,5}$/),
    PurchaseContract: text(10),
    PurchaseContractItem: like(/^\d{1,5}$/),
    RequirementTracking: needed(text(10)),
    PurReqnExternalReference: needed(text(35)),
  },
}

/** Purchase order fields of the SOAP schema browser; days as the preferences say, here MM/DD/YYYY. */
const US_DAY = like(/^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/)
const NETSUITE = {
  columns: {
    'External ID': needed(text(100)),
    Vendor: needed(text(300)),
    Date: needed(US_DAY),
    Currency: text(50),
    Location: needed(text(300)),
    Memo: needed(text(999)),
    'Items : Item': needed(text(300)),
    'Items : Vendor Name': text(300),
    'Items : Quantity': needed(number(12, 5)),
    'Items : Units': text(300),
    'Items : Rate': number(12, 8),
    'Items : Location': needed(text(300)),
    'Items : Expected Receipt Date': needed(US_DAY),
  },
}

/** Fields of purchase.order and purchase.order.line in odoo/addons/purchase/models. */
const time: Rule = (cell) =>
  cell instanceof Date || isEmpty(cell) || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(cell))
const ODOO = {
  columns: {
    id: like(/^\w+$/),
    partner_id: text(200),
    origin: text(100),
    date_order: time,
    currency_id: like(/^[A-Z]{3}$/),
    picking_type_id: like(/^.+: Receipts$/),
    requisition_id: text(200),
    'order_line/product_id': needed(text(200)),
    'order_line/name': needed(text(1000)),
    'order_line/product_qty': needed(number(12, 6)),
    'order_line/product_uom': needed(text(100)),
    'order_line/price_unit': needed(number(12, 6)),
    'order_line/date_planned': needed(time),
  },
}

/** Fields of purchase.purchase and purchase.line; days in ISO's form, booleans as import_data reads them. */
const TRYTON = {
  columns: {
    party: text(200),
    invoice_address: text(200),
    reference: text(100),
    warehouse: text(200),
    purchase_date: like(DAY),
    'lines/product': needed(text(200)),
    'lines/quantity': needed(number(12, 6)),
    'lines/unit': needed(text(100)),
    'lines/unit_price': needed(number(12, 6)),
    'lines/delivery_date_edit': oneOf('true', 'false'),
    'lines/delivery_date_store': needed(like(DAY)),
    'lines/description': text(300),
  },
}

/** OPOR and POR1 of the SDK Help: column types and sizes; days YYYYMMDD. */
const B1_DAY = like(/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)
const B1_DOCUMENTS = {
  depth: 2,
  columns: {
    DocNum: needed(number(9, 0)),
    DocType: oneOf('dDocument_Items'),
    DocDate: needed(B1_DAY),
    DocDueDate: needed(B1_DAY),
    CardCode: needed(text(15)),
    NumAtCard: needed(text(100)),
    DocCurrency: like(/^[A-Z]{3}$/),
  },
}
const B1_LINES = {
  depth: 2,
  columns: {
    ParentKey: needed(number(9, 0)),
    LineNum: isEmpty,
    ItemCode: needed(text(50)),
    Quantity: needed(number(13, 6)),
    UseBaseUnits: oneOf('tYES', 'tNO'),
    ShipDate: needed(B1_DAY),
    UnitPrice: number(13, 6),
    Currency: like(/^[A-Z]{3}$/),
    WarehouseCode: needed(text(8)),
    SupplierCatNum: text(50),
    AgreementNo: number(9, 0),
    AgreementRowNumber: number(9, 0),
  },
}

/** Tables 38 and 39 of the base application; options by their number, elements as codeunit 8614 names them. */
const BC_HEADERS = {
  columns: {
    DocumentType: oneOf('1'),
    No: needed(like(/^[A-Z0-9-]{1,20}$/)),
    Buy_fromVendorNo: needed(text(20)),
    OrderDate: needed(like(DAY)),
    RequestedReceiptDate: like(DAY),
    LocationCode: needed(text(10)),
    YourReference: text(35),
  },
}
const BC_LINES = {
  columns: {
    DocumentType: oneOf('1'),
    DocumentNo: needed(like(/^[A-Z0-9-]{1,20}$/)),
    LineNo: needed(number(9, 0)),
    Type: oneOf('2'),
    No: needed(text(20)),
    LocationCode: needed(text(10)),
    UnitofMeasureCode: text(10),
    Quantity: needed(number(15, 5)),
    DirectUnitCost: number(13, 5),
    RequestedReceiptDate: needed(like(DAY)),
    VendorItemNo: text(50),
    BlanketOrderNo: text(20),
    BlanketOrderLineNo: number(9, 0),
  },
}

/** Rows that follow the first of an order say nothing of the order, and each first one says all that is needed. */
function faultsOfOrders(table: FileTable, own: string[], first: string[]): string[] {
  const cells = own.map((name) => column(table, name))
  return table.rows.flatMap((_, row) => {
    const given = own.filter((_name, at) => !isEmpty(cells[at]![row]!))
    if (!given.length) return row ? [] : ['the first row begins no order']
    return first.filter((name) => !given.includes(name)).map((name) => `row ${row + 1}: no ${name}`)
  })
}

/** The faults of a file in the usual format of a form, and its lines. */
export async function judge(form: string, bytes: Buffer) {
  const [first, second] = await tablesIn(form, bytes)
  switch (form) {
    case 's4hana':
      return { faults: faultsOf(first!, S4HANA), lines: first! }
    case 'netsuite': {
      const ids = new Map(column(first!, 'External ID').map((id) => [id, 0]))
      const count = column(first!, 'External ID').reduce(
        (all, id) => all.set(id, all.get(id)! + 1),
        ids,
      )
      const large = [...count].filter(([, rows]) => rows > 5_000)
      return {
        faults: [...faultsOf(first!, NETSUITE), ...large.map(([id]) => `${id} is too large`)],
        lines: first!,
      }
    }
    case 'odoo': {
      const own = ['id', 'partner_id', 'origin', 'date_order']
      return {
        faults: [...faultsOf(first!, ODOO), ...faultsOfOrders(first!, own, own)],
        lines: first!,
      }
    }
    case 'tryton': {
      const own = ['party', 'invoice_address', 'reference', 'warehouse', 'purchase_date']
      return {
        faults: [...faultsOf(first!, TRYTON), ...faultsOfOrders(first!, own, own)],
        lines: first!,
      }
    }
    case 'business_one': {
      const known = new Set(column(first!, 'DocNum').map(String))
      const lost = column(second!, 'ParentKey').filter((key) => !known.has(String(key)))
      return {
        faults: [
          ...faultsOf(first!, B1_DOCUMENTS),
          ...faultsOf(second!, B1_LINES),
          ...lost.map((key) => `there is no document ${String(key)}`),
        ],
        lines: second!,
      }
    }
    case 'business_central': {
      const known = new Set(column(first!, 'No'))
      const lost = column(second!, 'DocumentNo').filter((number) => !known.has(number))
      const keys = second!.rows.map((row) => row.slice(0, 3).join())
      const twice = keys.length - new Set(keys).size
      return {
        faults: [
          ...faultsOf(first!, BC_HEADERS),
          ...faultsOf(second!, BC_LINES),
          ...lost.map((number) => `there is no order ${String(number)}`),
          ...(twice ? [`${twice} lines have the key of another`] : []),
        ],
        lines: second!,
      }
    }
    default:
      throw new Error(`no validator for ${form}`)
  }
}

async function tablesIn(form: string, bytes: Buffer): Promise<FileTable[]> {
  if (form === 'business_central') return packageTables(bytes)
  if (form === 'business_one')
    return [...unzip(bytes)].map(([name, file]) => csvTable(file, 2, name))
  return form === 's4hana' || form === 'odoo' ? workbookTables(bytes) : [csvTable(bytes)]
}

/** The column of the quantity in order units, and that of the order unit. */
export const QUANTITY: Record<string, string> = {
  s4hana: 'RequestedQuantity',
  netsuite: 'Items : Quantity',
  odoo: 'order_line/product_qty',
  tryton: 'lines/quantity',
  business_one: 'Quantity',
  business_central: 'Quantity',
}
