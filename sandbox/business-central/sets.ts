// The rows of a company as Business Central writes them.
import { dayOfTime, isoDay } from '../company/days.ts'
import type { Company } from '../company/company.ts'
import { itemsByCode } from '../company/indexes.ts'
import type { Movement } from '../company/ledger.ts'
import type { Item, Order, Pair, SalesOrder } from '../company/model.ts'
import { listSet } from '../v4/set.ts'
import type { V4Set } from '../v4/set.ts'
import type { Row } from '../v4/filter.ts'
import type { BusinessCentralBehaviour } from './behaviour.ts'

/** Numbers of ledger entries up to here are the stock that each pair began with, two for each. */
const FIRST_MOVEMENT = 1_000_000

export const NO_DAY = '0001-01-01'

export function setsOf(company: Company, behaviour: BusinessCentralBehaviour) {
  const choice = (text: string) => (behaviour.encodedChoices ? encode(text) : text)
  const codeOf = ({ code }: { code: string }) => code
  const hidden = behaviour.transfers
  const standard: Record<string, V4Set> = {
    items: listSet(
      ...(['number', ITEM_FIELDS] as const),
      () => itemsByCode(company),
      codeOf,
      (item) => toItem(item, choice),
    ),
    vendors: listSet(
      ...(['number', ['number', 'displayName', 'blocked', 'lastModifiedDateTime']] as const),
      () => company.suppliers,
      codeOf,
      ({ code, name }) => ({
        ...{ number: code, displayName: name, blocked: choice(' ') },
        lastModifiedDateTime: '2020-01-01T00:00:00Z',
      }),
    ),
    locations: listSet(
      ...(['code', ['code', 'displayName', 'country']] as const),
      () => [
        ...company.locations.map(({ code, name }) => ({ code, name })),
        ...(hidden.length ? [{ code: 'OWN.LOG', name: 'In transit' }] : []),
      ],
      codeOf,
      ({ code, name }) => ({ code, displayName: name, country: code === 'OWN.LOG' ? '' : 'DE' }),
    ),
  }
  const analytics: Record<string, V4Set> = {
    itemLedgerEntries: ledgerSet(company, behaviour, choice),
    outstandingPurchaseLines: {
      key: null,
      fields: [
        ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'expectedReceiptDate'],
        ...['buyFromVendorNo', 'outstandingQtyBase'],
      ],
      *rows() {
        for (const order of company.orders) yield* purchaseRows(order, choice, behaviour)
        for (const [at, pair] of behaviour.returnOrders.entries()) {
          yield { ...returnOf(pair, `RO${at}`), documentType: choice('Return Order') }
        }
      },
    },
    purchaseLines: {
      key: null,
      fields: [
        ...['orderNo', 'documentType', 'quoteNo', 'documentDate', 'buyFromVendorNo', 'documentNo'],
        ...['purchaseLineDocumentType', 'type', 'lineNo', 'itemNo', 'locationCode', 'quantityBase'],
        ...['outstandingQtyBase', 'expectedReceiptDate'],
      ],
      *rows() {
        for (const order of company.orders) yield* documentRows(order, choice, behaviour)
        yield* blanketRows(company, choice)
      },
    },
    requisitionLines: {
      key: null,
      fields: [
        ...['worksheetTemplateName', 'journalBatchName', 'planningLineOrigin', 'itemNo'],
        ...['replenishmentSystem', 'locationCode', 'dueDate', 'orderDate', 'quantityBase'],
      ],
      *rows() {
        for (const { pair, quantity, due, origin = ' ' } of behaviour.requisitions) {
          yield {
            ...{
              worksheetTemplateName: 'REQ',
              journalBatchName: 'DEFAULT',
              itemNo: pair.item.code,
            },
            ...{ planningLineOrigin: choice(origin), replenishmentSystem: choice('Purchase') },
            ...{ locationCode: pair.location.code, dueDate: due, orderDate: due },
            quantityBase: quantity,
          }
        }
      },
    },
    outstandingSalesLines: {
      key: null,
      fields: [
        ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'shipmentDate'],
        'outstandingQtyBase',
      ],
      *rows() {
        for (const order of company.salesOrders) yield* salesRows(order, choice, behaviour)
      },
    },
    transferLines: {
      key: null,
      fields: [
        ...['documentNo', 'itemNo', 'inTransitLocationCode', 'transferToLocationCode'],
        ...['qtyInTransitBase', 'receiptDate'],
      ],
      *rows() {
        for (const { pair, quantity, due } of hidden) {
          yield {
            ...{ documentNo: 'T1', itemNo: pair.item.code, inTransitLocationCode: 'OWN.LOG' },
            ...{ transferToLocationCode: pair.location.code, qtyInTransitBase: quantity },
            receiptDate: due,
          }
        }
      },
    },
  }
  const published: Record<string, V4Set> = {
    RestockItems: listSet(
      ...(['No', CARD_FIELDS] as const),
      () => itemsByCode(company),
      codeOf,
      (item) => toCard(item),
    ),
    purchaseDocumentLines: {
      key: null,
      fields: [
        ...['documentType', 'documentNumber', 'lineNumber', 'type', 'number', 'locationCode'],
        ...['buyFromVendorNumber', 'outstandingQtyBase', 'outstandingAmtExVatLcy', 'currencyCode'],
        ...[
          'requestedReceiptDate',
          'promisedReceiptDate',
          'expectedReceiptDate',
          'qtyReceivedBase',
        ],
      ],
      *rows() {
        for (const order of company.orders) yield* promisedRows(order, choice)
      },
    },
    RestockOrderLines: {
      key: null,
      fields: ['Document_No', 'Line_No', 'Blanket_Order_No', 'Blanket_Order_Line_No'],
      rows: () => calledRows(company),
    },
    RestockUnits: listSet(
      ...(['Item_No', ['Item_No', 'Location_Code', 'Variant_Code', ...PLANNING]] as const),
      () => behaviour.stockkeepingUnits,
      ({ pair }) => pair.item.code,
      ({ pair, leadTime }) => ({
        ...{ Item_No: pair.item.code, Location_Code: pair.location.code, Variant_Code: '' },
        ...planningOf(pair.item),
        Lead_Time_Calculation: leadTime,
      }),
    ),
  }
  return { standard, analytics, published }
}

const PLANNING = [
  ...['Vendor_No', 'Lead_Time_Calculation', 'Minimum_Order_Quantity', 'Order_Multiple'],
  'Replenishment_System',
]
const CARD_FIELDS = ['No', ...PLANNING, 'Blocked', 'Purchasing_Blocked']
const ITEM_FIELDS = [
  ...['id', 'number', 'displayName', 'type', 'blocked', 'itemCategoryCode'],
  'baseUnitOfMeasureCode',
  ...['unitCost', 'lastModifiedDateTime'],
]

const encode = (text: string) =>
  text.replace(/[ .]/g, (sign) => `_x${sign.charCodeAt(0).toString(16).padStart(4, '0')}_`)

type Choice = (text: string) => string

const toItem = (item: Item, choice: Choice): Row => ({
  id: `00000000-0000-4000-8000-${String(item.id).padStart(12, '0')}`,
  ...{ number: item.code, displayName: item.name, type: choice('Inventory') },
  ...{ blocked: !item.isActive, itemCategoryCode: item.group, baseUnitOfMeasureCode: item.unit },
  ...{ unitCost: Number(item.unitCost) },
  lastModifiedDateTime: new Date(item.changedAt).toISOString(),
})

const planningOf = (item: Item): Row => ({
  ...{ Vendor_No: item.supplier.code, Lead_Time_Calculation: formulaOf(item.leadTimeDays) },
  ...{ Minimum_Order_Quantity: item.moq, Order_Multiple: item.lotSize },
  Replenishment_System: 'Purchase',
})

const formulaOf = (days: number) => (days % 7 === 0 ? `${days / 7}W` : `${days}D`)

const toCard = (item: Item): Row => ({
  ...{ No: item.code, ...planningOf(item) },
  ...{ Blocked: !item.isActive, Purchasing_Blocked: false },
})

function* purchaseRows(order: Order, choice: Choice, { summed }: BusinessCentralBehaviour) {
  if (order.status !== 'open') return
  const open = order.lines.filter((line) => !line.isClosed && line.received < line.quantity)
  const rows = open.map(({ pair, quantity, received, due, promised }) => ({
    ...{ documentNo: order.number, documentType: choice('Order'), itemNo: pair.item.code },
    ...{ locationCode: pair.location.code, expectedReceiptDate: promised ?? (due || NO_DAY) },
    ...{ buyFromVendorNo: order.supplier.code, outstandingQtyBase: quantity - received },
  }))
  yield* summed ? sumOf(rows, ['itemNo', 'locationCode', 'expectedReceiptDate']) : rows
}

/** Quotes are drafts: once they become an order, Business Central deletes them. */
function* documentRows(
  order: Order,
  choice: Choice,
  { quotes }: BusinessCentralBehaviour,
): Generator<Row> {
  if (order.status === 'cancelled') return
  const documentType = choice(order.status === 'draft' ? 'Quote' : 'Order')
  const quoteNo = quotes.get(order.id) ?? ''
  for (const [at, line] of order.lines.entries()) {
    const { pair, quantity, received, due, promised, isClosed } = line
    yield {
      ...{ orderNo: order.number, documentNo: order.number, documentType, quoteNo },
      ...{ documentDate: dayOfTime(order.orderedAt), buyFromVendorNo: order.supplier.code },
      ...{
        purchaseLineDocumentType: documentType,
        type: choice('Item'),
        lineNo: (at + 1) * 10_000,
      },
      ...{ itemNo: pair.item.code, locationCode: pair.location.code, quantityBase: quantity },
      outstandingQtyBase: isClosed || order.status === 'done' ? 0 : quantity - received,
      expectedReceiptDate: promised ?? (due || NO_DAY),
    }
  }
}

/** Business Central moves the expected day along with the promised one. */
function* promisedRows(order: Order, choice: Choice): Generator<Row> {
  if (order.status !== 'open' && order.status !== 'draft') return
  for (const [at, line] of order.lines.entries()) {
    const { pair, quantity, received, due, requested, promised, price, discount = 0 } = line
    const outstanding = line.isClosed ? 0 : quantity - received
    const cost = Number(price ?? pair.item.unitCost) * (1 - discount / 100)
    yield {
      ...{
        documentType: choice(order.status === 'draft' ? 'Quote' : 'Order'),
        type: choice('Item'),
      },
      ...{ documentNumber: order.number, lineNumber: (at + 1) * 10_000, number: pair.item.code },
      ...{ locationCode: pair.location.code, buyFromVendorNumber: order.supplier.code },
      ...{ outstandingQtyBase: outstanding, qtyReceivedBase: received, currencyCode: '' },
      outstandingAmtExVatLcy: Math.round(outstanding * cost * 100) / 100,
      ...{ requestedReceiptDate: requested ?? NO_DAY, promisedReceiptDate: promised ?? NO_DAY },
      expectedReceiptDate: promised ?? (due || NO_DAY),
    }
  }
}

/** What has come is taken off a blanket order; what is on order is not. */
function* blanketRows(company: Company, choice: Choice): Generator<Row> {
  const documentType = choice('Blanket Order')
  for (const { number, supplier, from, lines } of company.agreements)
    for (const line of lines)
      yield {
        ...{ orderNo: number, documentNo: number, documentType, quoteNo: '' },
        ...{ documentDate: from ?? NO_DAY, buyFromVendorNo: supplier.code, type: choice('Item') },
        ...{ purchaseLineDocumentType: documentType, lineNo: line.number * 10_000 },
        ...{ itemNo: line.item.code, locationCode: line.location?.code ?? '' },
        ...{ quantityBase: line.quantity, expectedReceiptDate: NO_DAY },
        outstandingQtyBase: line.quantity - company.calledOff(line).received,
      }
}

/** The page of order lines, as a published web service. */
function* calledRows({ orders, agreements }: Company): Generator<Row> {
  for (const { number, status, lines } of orders) {
    if (status !== 'open') continue
    for (const [at, { agreement }] of lines.entries())
      yield {
        ...{ Document_No: number, Line_No: (at + 1) * 10_000 },
        Blanket_Order_No: agreement ? agreements[agreement.id - 1]!.number : '',
        Blanket_Order_Line_No: (agreement?.number ?? 0) * 10_000,
      }
  }
}

const returnOf = (pair: Pair, documentNo: string) => ({
  ...{ documentNo, itemNo: pair.item.code, locationCode: pair.location.code },
  ...{ expectedReceiptDate: NO_DAY, buyFromVendorNo: 'V0001', outstandingQtyBase: 99 },
})

function* salesRows(order: SalesOrder, choice: Choice, { summed }: BusinessCentralBehaviour) {
  if (order.status !== 'open') return
  const rows = order.lines
    .filter(({ delivered, quantity }) => delivered < quantity)
    .map(({ pair, quantity, delivered, due }) => ({
      ...{ documentNo: order.number, documentType: choice('Order'), itemNo: pair.item.code },
      ...{ locationCode: pair.location.code, shipmentDate: due },
      outstandingQtyBase: quantity - delivered,
    }))
  yield* summed ? sumOf(rows, ['itemNo', 'locationCode', 'shipmentDate']) : rows
}

function sumOf<R extends Row & { outstandingQtyBase: number }>(rows: R[], by: string[]): R[] {
  const groups = Map.groupBy(rows, (row) => by.map((field) => row[field]).join('\n'))
  return [...groups.values()].map((same) => ({
    ...same[0]!,
    outstandingQtyBase: same.reduce((sum, row) => sum + row.outstandingQtyBase, 0),
  }))
}

const LEDGER_FIELDS = [
  ...['entryNo', 'entryType', 'documentType', 'postingDate', 'itemNo', 'locationCode'],
  ...['quantity', 'remainingQuantity', 'open', 'lotNo'],
]

function ledgerSet(company: Company, behaviour: BusinessCentralBehaviour, choice: Choice): V4Set {
  const began = isoDay(company.clock.today() - 30)
  return {
    key: 'entryNo',
    fields: [...LEDGER_FIELDS, ...(behaviour.knowsExpiry ? ['expirationDate'] : [])],
    *rows({ after, least }) {
      const first = Number(after ?? 0) + 1
      const { pairs, ledger } = company
      for (let entry = first; entry <= 2 * pairs.length; entry++) {
        const row = openingOf(pairs[(entry - 1) >> 1]!, entry, began, choice)
        if (row) yield located(row, behaviour)
      }
      yield* behaviour.otherEntries.filter(({ entryNo }) => entryNo >= first)
      for (const [at, { pair, quantity }] of behaviour.transfers.entries()) {
        const entryNo = FIRST_MOVEMENT - 100 + at
        if (entryNo < first) continue
        yield {
          ...{ entryNo, entryType: choice('Transfer'), postingDate: began, open: true, quantity },
          ...{ itemNo: pair.item.code, locationCode: 'OWN.LOG', remainingQuantity: quantity },
          ...{ lotNo: '', expirationDate: NO_DAY },
        }
      }
      const day = least.get('postingDate')
      const since = typeof day === 'string' ? ledger.firstAt(Date.parse(day)) : 1
      for (let id = Math.max(since, first - FIRST_MOVEMENT); id <= ledger.size; id++) {
        yield located(movementOf(ledger.movement(id), choice), behaviour)
      }
    },
  }
}

const located = (row: Row, { withoutLocations }: BusinessCentralBehaviour): Row =>
  withoutLocations ? { ...row, locationCode: '' } : row

/** What a pair has is in two entries, such as lots; what it owes is in one that is open and negative. */
function openingOf(pair: Pair, entryNo: number, postingDate: string, choice: Choice): Row | null {
  const { item, location, onHand } = pair
  const isSecond = entryNo % 2 === 0
  const part = onHand > 1 ? Math.floor(onHand / 2) : 0
  const remainingQuantity = isSecond ? part : onHand - part
  if (isSecond && !part) return null
  return {
    ...{ entryNo, postingDate, itemNo: item.code, locationCode: location.code, remainingQuantity },
    entryType: choice(remainingQuantity < 0 ? 'Negative Adjmt.' : 'Positive Adjmt.'),
    ...{ quantity: remainingQuantity || 10, open: remainingQuantity !== 0 },
    ...lotOf(entryNo),
  }
}

/** Each third entry is of a lot, which may expire. */
const lotOf = (entryNo: number) => ({
  lotNo: entryNo % 3 === 0 ? `LOT${entryNo}` : '',
  expirationDate: entryNo % 6 === 0 ? '2031-05-31' : NO_DAY,
})

const TYPES = {
  ...{ sale: 'Sale', return: 'Sale', receipt: 'Purchase' },
  adjustment: 'Positive Adjmt.',
}

const movementOf = ({ id, at, kind, item, location, quantity }: Movement, choice: Choice): Row => ({
  ...{ entryNo: FIRST_MOVEMENT + id, entryType: choice(TYPES[kind]), postingDate: dayOfTime(at) },
  ...{ itemNo: item.code, locationCode: location.code, quantity },
  ...{ remainingQuantity: 0, open: false, lotNo: '', expirationDate: NO_DAY },
})
