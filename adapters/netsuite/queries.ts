// What is asked of NetSuite's records, with the columns that are read. Quantities of documents are in base units.
import { fromPageOn, IS_STOCKED, type Query, textOfDay, textOfInstant } from './suiteql/query.ts'

type Text = string | undefined

export interface LocationRow {
  id: string
  name: Text
  fullname?: Text
}

export const LOCATIONS: Query = {
  columns: { id: 'l.id', name: 'l.name' },
  optional: { fullname: 'l.fullname' },
  from: 'location l',
  where: [],
  key: ['id'],
}

export interface VendorRow {
  id: string
  entityid: Text
  companyname?: Text
}

export const VENDORS: Query = {
  columns: { id: 'v.id', entityid: 'v.entityid' },
  optional: { companyname: 'v.companyname' },
  from: 'vendor v',
  where: [],
  key: ['id'],
}

export interface ItemRow {
  id: string
  itemid: Text
  isinactive: Text
  lm: Text
  displayname?: Text
  unitstype?: Text
  averagecost?: Text
}

export const ITEMS: Query = {
  columns: {
    id: 'i.id',
    itemid: 'i.itemid',
    isinactive: 'i.isinactive',
    lm: textOfInstant('i.lastmodifieddate'),
  },
  optional: {
    displayname: 'i.displayname',
    unitstype: 'i.unitstype',
    averagecost: 'i.averagecost',
  },
  from: 'item i',
  where: [IS_STOCKED],
  key: ['id'],
}

export interface StockRow {
  item: string
  location: string
  itemid: Text
  onhand?: Text
  intransit?: Text
}

/** Where an item never had stock, is not ordered and not planned, it is not kept. */
const IS_KEPT =
  '(a.quantityonhand IS NOT NULL OR a.quantityonorder > 0 OR a.reorderpoint IS NOT NULL OR a.preferredstocklevel IS NOT NULL)'

const ITEM_LOCATIONS = {
  from: 'aggregateitemlocation a JOIN item i ON i.id = a.item',
  where: [IS_STOCKED, IS_KEPT],
  key: ['item', 'location'],
}

export const STOCK: Query = {
  ...ITEM_LOCATIONS,
  columns: {
    item: 'a.item',
    location: 'a.location',
    itemid: 'i.itemid',
    onhand: 'a.quantityonhand',
  },
  optional: { intransit: 'a.quantityintransit' },
}

export interface PlanningRow {
  item: string
  location: string
  itemid: Text
  itemtype: Text
  isinactive: Text
  lm: Text
  leadtime?: Text
  itemleadtime?: Text
  reordermultiple?: Text
  purchaseunit?: Text
  cost?: Text
}

export const PLANNING: Query = {
  ...ITEM_LOCATIONS,
  columns: {
    item: 'a.item',
    location: 'a.location',
    itemid: 'i.itemid',
    itemtype: 'i.itemtype',
    isinactive: 'i.isinactive',
    lm: textOfInstant('i.lastmodifieddate'),
  },
  optional: {
    leadtime: 'a.leadtime',
    itemleadtime: 'i.leadtime',
    reordermultiple: 'i.reordermultiple',
    purchaseunit: 'i.purchaseunit',
    cost: 'i.cost',
  },
}

export interface ItemVendorRow {
  item: string
  vendor: string
  entityid: Text
  currency: Text
  purchaseprice?: Text
  inactive?: Text
  vendorcode?: Text
}

export const PREFERRED_VENDORS: Query = {
  columns: {
    item: 'iv.item',
    vendor: 'iv.vendor',
    entityid: 'v.entityid',
    currency: 'c.symbol',
  },
  optional: {
    purchaseprice: 'iv.purchaseprice',
    inactive: 'v.isinactive',
    vendorcode: 'iv.vendorcode',
  },
  from: 'itemvendor iv JOIN vendor v ON v.id = iv.vendor LEFT JOIN currency c ON c.id = v.currency',
  where: ["iv.preferredvendor = 'T'"],
  key: ['item', 'vendor'],
}

/** Lines of a document with its header; a location that is not on the line is on the main one. */
const LINES =
  'transaction t JOIN transactionline tl ON tl.transaction = t.id JOIN item i ON i.id = tl.item ' +
  "JOIN transactionline ml ON ml.transaction = t.id AND ml.mainline = 'T'"

const LINE_COLUMNS = {
  document: 't.id',
  line: 'tl.id',
  number: 't.tranid',
  item: 'tl.item',
  itemid: 'i.itemid',
  location: 'NVL(tl.location, ml.location)',
  quantity: 'tl.quantity',
}

const IS_LINE = [IS_STOCKED, "tl.mainline = 'F'", "tl.taxline = 'F'"]

const KEY = ['document', 'line']

export interface LineRow {
  document: string
  line: string
  number: Text
  item: string
  itemid: Text
  location: Text
  quantity: Text
  dropship?: Text
}

/** Of an account that ships from vendors to customers. */
const DROP_SHIP = { dropship: 'tl.dropship' }

export interface OrderRow extends LineRow {
  moved?: Text
  due?: Text
  headerdue?: Text
  vendor?: Text
  ordered?: Text
  memo?: Text
  /** Of the whole line, less its discount, in the currency of the order. */
  amount?: Text
  currency?: Text
}

/** `A` alone in newer versions, with the type before it in others. */
const statusIs = (of: string, type: string, letters: readonly string[]) =>
  `${of}.status IN (${letters.flatMap((one) => [`'${one}'`, `'${type}:${one}'`]).join(',')})`

export const hasStatus = (type: string, ...letters: string[]) => statusIs('t', type, letters)

const OPEN = ["NVL(tl.isclosed,'F') = 'F'", 'NVL(ABS(tl.quantityshiprecv),0) < ABS(tl.quantity)']

/** Neither waiting for approval nor closed: pending receipt, partly received. */
export const PURCHASE_ORDERS: Query = {
  columns: {
    ...LINE_COLUMNS,
    moved: 'tl.quantityshiprecv',
    vendor: 'v.entityid',
    ordered: textOfDay('t.trandate'),
  },
  optional: {
    due: textOfDay('tl.expectedreceiptdate'),
    headerdue: textOfDay('t.duedate'),
    memo: 't.memo',
    amount: 'tl.foreignamount',
    currency: '(SELECT c.symbol FROM currency c WHERE c.id = t.currency)',
    ...DROP_SHIP,
  },
  from: `${LINES} LEFT JOIN vendor v ON v.id = t.entity`,
  where: ["t.type = 'PurchOrd'", hasStatus('PurchOrd', 'B', 'D', 'E'), ...IS_LINE, ...OPEN],
  key: KEY,
}

export interface TransferRow extends LineRow {
  due?: Text
}

/** What was shipped of transfer orders (C: shipped, not only picked or packed) and has not been received where it goes. */
export const TRANSFERS: Query = {
  columns: {
    ...{ document: 'o.id', line: 'm.item', item: 'm.item' },
    ...{ number: 'MAX(o.tranid)', itemid: 'MAX(i.itemid)', location: 'MAX(o.transferlocation)' },
    quantity:
      "SUM(CASE WHEN t.type = 'ItemShip' AND m.quantity < 0 THEN -m.quantity " +
      "WHEN t.type = 'ItemRcpt' AND m.quantity > 0 THEN -m.quantity ELSE 0 END)",
  },
  optional: {
    due:
      `(SELECT ${textOfDay('MAX(d.expectedreceiptdate)')} FROM transactionline d ` +
      'WHERE d.transaction = o.id AND d.item = m.item)',
  },
  from:
    'transaction o JOIN transactionline m ON m.createdfrom = o.id ' +
    'JOIN transaction t ON t.id = m.transaction JOIN item i ON i.id = m.item',
  where: [
    ...["o.type = 'TrnfrOrd'", statusIs('o', 'TrnfrOrd', ['D', 'E', 'F']), IS_STOCKED],
    ...["m.mainline = 'F'", "m.taxline = 'F'", "m.isinventoryaffecting = 'T'"],
    `(t.type = 'ItemRcpt' OR (t.type = 'ItemShip' AND ${hasStatus('ItemShip', 'C')}))`,
  ],
  groupBy: 'o.id, m.item',
  key: KEY,
}

/** Pending fulfillment, partly fulfilled. Quantities are negative. */
export const SALES_ORDERS: Query = {
  columns: { ...LINE_COLUMNS, moved: 'tl.quantityshiprecv' },
  optional: {
    due: textOfDay('tl.expectedshipdate'),
    headerdue: textOfDay('t.shipdate'),
    ...DROP_SHIP,
  },
  from: LINES,
  where: ["t.type = 'SalesOrd'", hasStatus('SalesOrd', 'B', 'D', 'E'), ...IS_LINE, ...OPEN],
  key: KEY,
}

export interface DraftRow extends LineRow {
  type: string
  day?: Text
  due?: Text
  headerdue?: Text
  vendor?: Text
  memo?: Text
}

/** Purchase orders that nobody has approved yet, and requisitions of which nothing is ordered. */
export const DRAFTS: Query = {
  columns: { ...LINE_COLUMNS, type: 't.type', day: textOfDay('t.trandate'), vendor: 'v.entityid' },
  optional: {
    due: textOfDay('tl.expectedreceiptdate'),
    headerdue: textOfDay('t.duedate'),
    memo: 't.memo',
    ...DROP_SHIP,
  },
  from: `${LINES} LEFT JOIN vendor v ON v.id = t.entity`,
  where: [
    `((t.type = 'PurchOrd' AND ${hasStatus('PurchOrd', 'A')}) OR ` +
      `(t.type = 'PurchReq' AND ${hasStatus('PurchReq', 'A', 'B')}))`,
    ...IS_LINE,
    OPEN[0]!,
  ],
  key: KEY,
}

/** Lines of purchase orders that were made of lines of sales orders, and whose goods the vendor sends to the customer. */
export const DROP_SHIPS: Query = {
  columns: { document: 'k.nextdoc', line: 'k.nextline' },
  from: 'previoustransactionlinelink k JOIN transaction t ON t.id = k.nextdoc',
  where: [
    ...["k.linktype = 'DropShip'", "t.type = 'PurchOrd'"],
    hasStatus('PurchOrd', 'A', 'B', 'D', 'E'),
  ],
  groupBy: 'k.nextdoc, k.nextline',
  key: KEY,
}

/** What orders of a page's contracts are linked to, by lines; a pair of lines may have several kinds of links. */
const CALLS =
  '(SELECT DISTINCT k.previousdoc, k.previousline, k.nextdoc, k.nextline ' +
  'FROM previoustransactionlinelink k ' +
  `WHERE k.previoustype IN ('BlankOrd','PurchCon') AND ${fromPageOn('k.previousdoc')})`

/** Neither waiting for approval nor rejected; of what does not come any more, what has come. */
const CALLED_OFF =
  'SELECT l.previousdoc, l.previousline, SUM(' +
  `CASE WHEN NVL(o.isclosed,'F') = 'T' OR ${hasStatus('PurchOrd', 'H')} ` +
  'THEN NVL(ABS(o.quantityshiprecv),0) ELSE ABS(o.quantity) END) AS units ' +
  `FROM ${CALLS} l JOIN transaction t ON t.id = l.nextdoc ` +
  'JOIN transactionline o ON o.transaction = l.nextdoc AND o.id = l.nextline ' +
  `WHERE t.type = 'PurchOrd' AND NOT ${hasStatus('PurchOrd', 'A', 'C')} ` +
  'GROUP BY l.previousdoc, l.previousline'

export interface ContractRow extends LineRow {
  type: string
  vendor: Text
  called: Text
  firstday?: Text
  lastday?: Text
  approval?: Text
}

/** Blanket purchase orders and purchase contracts, with what orders have called off from each line. */
export const CONTRACTS: Query = {
  columns: { ...LINE_COLUMNS, type: 't.type', vendor: 'v.entityid', called: 'c.units' },
  optional: {
    firstday: textOfDay('t.startdate'),
    lastday: textOfDay('t.enddate'),
    approval: 't.approvalstatus',
  },
  from:
    `${LINES} LEFT JOIN vendor v ON v.id = t.entity ` +
    `LEFT JOIN (${CALLED_OFF}) c ON c.previousdoc = t.id AND c.previousline = tl.id`,
  where: ["t.type IN ('BlankOrd','PurchCon')", ...IS_LINE, OPEN[0]!, 'tl.quantity <> 0'],
  key: KEY,
}

export interface OriginRow {
  document: string
  line: string
  requisition?: Text
  contract?: Text
}

/** Each type of document may count its numbers from 1. */
export const nameOfDraft = (type: string, number: string) => `${type}(${number})`

const lineOf = (isWanted: string) =>
  `MAX(CASE WHEN ${isWanted} THEN p.type || '/' || p.id || '/' || k.previousline || '/' || NVL(p.tranid, '') END)`

/** What lines of open purchase orders were made of: type, internal ID, line and number of their drafts. */
export const ORIGINS: Query = {
  columns: {
    document: 'k.nextdoc',
    line: 'k.nextline',
    requisition: lineOf("p.type = 'PurchReq'"),
    contract: lineOf("p.type <> 'PurchReq'"),
  },
  from:
    'previoustransactionlinelink k JOIN transaction p ON p.id = k.previousdoc ' +
    'JOIN transaction t ON t.id = k.nextdoc',
  where: [
    "k.previoustype IN ('PurchReq','BlankOrd','PurchCon')",
    ...["t.type = 'PurchOrd'", hasStatus('PurchOrd', 'B', 'D', 'E')],
  ],
  groupBy: 'k.nextdoc, k.nextline',
  key: KEY,
}

export interface BatchRow {
  batch: string
  location: string
  item: string
  itemid: Text
  name: Text
  onhand: Text
  expires: Text
}

/** Numbers of lots that expire, with what lies of them at each location. */
export const BATCHES: Query = {
  columns: {
    batch: 'n.id',
    location: 'nl.location',
    item: 'n.item',
    itemid: 'i.itemid',
    name: 'n.inventorynumber',
    onhand: 'nl.quantityonhand',
    expires: textOfDay('n.expirationdate'),
  },
  from:
    'inventorynumber n JOIN inventorynumberlocation nl ON nl.inventorynumber = n.id ' +
    'JOIN item i ON i.id = n.item',
  where: [IS_STOCKED, 'n.expirationdate IS NOT NULL', 'nl.quantityonhand > 0'],
  key: ['batch', 'location'],
}

export interface MovementRow extends LineRow {
  type: Text
  status: Text
  day: Text
  lm: Text
  source?: Text
  voided?: Text
}

/** Lines that change stock: without this each appears again for the cost of goods sold. */
const MOVES_STOCK = "tl.isinventoryaffecting = 'T'"

/** Whatever takes stock away or brings it back; where it comes from says whether it is demand. */
export const MOVEMENT_TYPES = [
  ...['ItemShip', 'CashSale', 'CustInvc', 'CustCred', 'CashRfnd', 'ItemRcpt'],
  ...['Build', 'Unbuild', 'WOIssue', 'WOCompl'],
]

export const typesAre = (types: readonly string[]) =>
  `t.type IN (${types.map((type) => `'${type}'`).join(',')})`

export const MOVEMENTS: Query = {
  columns: {
    ...LINE_COLUMNS,
    type: 't.type',
    status: 't.status',
    day: textOfDay('t.trandate'),
    lm: textOfInstant('t.lastmodifieddate'),
    source: 'src.type',
  },
  optional: { voided: 't.voided' },
  from: `${LINES} LEFT JOIN transaction src ON src.id = tl.createdfrom`,
  where: [typesAre(MOVEMENT_TYPES), ...IS_LINE, MOVES_STOCK],
  key: KEY,
}

export interface ReceiptRow extends LineRow {
  ordernumber: Text
  orderid: string
  vendor?: Text
  ordered?: Text
  day: Text
  lm: Text
  memo?: Text
}

export const RECEIPTS: Query = {
  columns: {
    ...LINE_COLUMNS,
    ordernumber: 'po.tranid',
    orderid: 'po.id',
    vendor: 'v.entityid',
    ordered: textOfDay('po.trandate'),
    day: textOfDay('t.trandate'),
    lm: textOfInstant('t.lastmodifieddate'),
  },
  optional: { memo: 'po.memo' },
  from: `${LINES} JOIN transaction po ON po.id = tl.createdfrom LEFT JOIN vendor v ON v.id = po.entity`,
  where: ["t.type = 'ItemRcpt'", "po.type = 'PurchOrd'", ...IS_LINE, MOVES_STOCK],
  key: KEY,
}

export interface ReceivedLineRow {
  document: string
  line: string
  item: string
  due?: Text
}

/** The lines of orders that something was received of. */
export const RECEIVED_LINES: Query = {
  columns: { document: 'tl.transaction', line: 'tl.id', item: 'tl.item' },
  optional: { due: textOfDay('tl.expectedreceiptdate') },
  from: 'transactionline tl',
  where: ["tl.mainline = 'F'", "tl.taxline = 'F'", 'tl.item IS NOT NULL'],
  key: KEY,
}

export interface RateRow {
  id: string
  fromcurrency: Text
  tocurrency: Text
  day: Text
  rate: Text
}

export const RATES: Query = {
  columns: {
    id: 'r.id',
    fromcurrency: 'f.symbol',
    tocurrency: 'b.symbol',
    day: textOfDay('r.effectivedate'),
    rate: 'r.exchangerate',
  },
  from: 'currencyrate r JOIN currency f ON f.id = r.transactioncurrency JOIN currency b ON b.id = r.basecurrency',
  where: [],
  key: ['id'],
}
