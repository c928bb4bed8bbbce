// API_MATERIAL_DOCUMENT_SRV: millions of rows, so values are written without creating row objects.
import { DAY_MS } from '../clock.ts'
import { EVENTS } from '../world/courses.ts'
import { ISSUE_LINES } from '../world/day-ledger.ts'
import { endOf, toMs, yearOf } from '../world/days.ts'
import { mix } from '../world/hash.ts'
import { merged } from '../odata/bounds.ts'
import { hull } from '../odata/intervals.ts'
import { quote } from '../odata/json.ts'
import { decimal } from '../world/decimal.ts'
import { PlaceFinder } from './document-place.ts'
import { fieldMap } from './fields.ts'
import { receiptSlots } from './receipt-slots.ts'
import { ItemFacts } from './item-facts.ts'
import type { EntitySet, Rows, Value } from '../odata/set.ts'
import type { Day } from '../world/days.ts'
import type { World } from '../world/world.ts'

const LINES = Array.from({ length: 1000 }, (_, i) => String(i).padStart(4, '0'))

export function materialDocuments(world: World): EntitySet[] {
  const items = itemSet(world)
  return [headerSet(world, items), items]
}

function itemSet(world: World): EntitySet {
  return {
    name: 'A_MaterialDocumentItem',
    type: 'A_MaterialDocumentItemType',
    keys: ['MaterialDocumentYear', 'MaterialDocument', 'MaterialDocumentItem'],
    hasPlainKeys: true,
    fields: fieldMap({
      String:
        'MaterialDocumentYear MaterialDocument MaterialDocumentItem Material Plant StorageLocation ' +
        'Batch GoodsMovementType InventoryStockType InventoryValuationType ' +
        'InventorySpecialStockType Supplier Customer SalesOrder SalesOrderItem PurchaseOrder ' +
        'PurchaseOrderItem WBSElement ManufacturingOrder GoodsMovementRefDocType ' +
        'GoodsMovementReasonCode Delivery DeliveryItem AccountAssignmentCategory CostCenter ' +
        'GLAccount MaterialBaseUnit EntryUnit CompanyCodeCurrency FiscalYear ' +
        'IssuingOrReceivingPlant IssuingOrReceivingStorageLoc Reservation IsAutomaticallyCreated ' +
        'ReversedMaterialDocumentYear ReversedMaterialDocument ReversedMaterialDocumentItem',
      Decimal: 'QuantityInBaseUnit QuantityInEntryUnit GdsMvtExtAmtInCoCodeCrcy',
      Boolean: 'IsCompletelyDelivered GoodsMovementIsCancelled',
    }),
    navigations: {},
    size: () => world.book.total('items'),
    open: () => openItems(world),
    ranges: (intervals) =>
      merged(intervals('PurchaseOrder').flatMap((of) => receiptSlots(world, of))),
  }
}

/** Fields that are the same in all rows, as JSON. */
const CONSTANTS: Record<string, string> = {
  InventoryStockType: '"01"',
  GdsMvtExtAmtInCoCodeCrcy: '"0.000"',
  CompanyCodeCurrency: '"EUR"',
  IsCompletelyDelivered: 'false',
}

function openItems(world: World): Rows {
  const facts = new ItemFacts(world)
  const { pairs, rawCodes, baseUnits } = world
  const { codes, skuByPair, plantByPair, plantCodes } = pairs
  const material = (texts: string[], text: (code: string) => string) => () =>
    facts.added === null ? texts[skuByPair[facts.pair]!]! : text(facts.added.sku)
  const unit = () => facts.added?.unit ?? baseUnits[skuByPair[facts.pair]!]!
  const values: Record<string, () => Value> = {
    MaterialDocumentYear: () => facts.year,
    MaterialDocument: () => facts.document,
    MaterialDocumentItem: () => LINES[facts.line]!,
    Material: material(codes, (code) => code),
    Plant: () => (facts.added === null ? plantByPair[facts.pair]! : facts.added.plant),
    StorageLocation: () => facts.storageLocation,
    GoodsMovementType: () => facts.type,
    InventoryStockType: () => '01',
    InventorySpecialStockType: () => (facts.added === null ? '' : facts.added.special),
    Customer: () => (facts.type.startsWith('6') ? '0001000042' : ''),
    PurchaseOrder: () => facts.order,
    PurchaseOrderItem: () => facts.orderItem || '00000',
    Delivery: () => (facts.delivery ? `00${facts.delivery}` : ''),
    DeliveryItem: () => (facts.delivery ? `00${LINES[facts.line * 10]!}` : '000000'),
    CostCenter: () => (facts.type === '201' ? '0000001700' : ''),
    MaterialBaseUnit: unit,
    QuantityInBaseUnit: () => decimal(facts.milli),
    EntryUnit: unit,
    QuantityInEntryUnit: () => decimal(facts.milli),
    GdsMvtExtAmtInCoCodeCrcy: () => '0.000',
    CompanyCodeCurrency: () => 'EUR',
    FiscalYear: () => facts.year,
    IssuingOrReceivingPlant: () =>
      facts.receivingPlant < 0 ? '' : plantCodes[facts.receivingPlant]!,
    IssuingOrReceivingStorageLoc: () => facts.receivingLocation,
    IsAutomaticallyCreated: () => (facts.isAutomatic ? 'X' : ''),
    ReversedMaterialDocumentYear: () => facts.reversedYear || '0000',
    ReversedMaterialDocument: () => facts.reversedDocument,
    ReversedMaterialDocumentItem: () => facts.reversedLine || '0000',
    IsCompletelyDelivered: () => false,
    GoodsMovementIsCancelled: () => facts.cancelled,
  }
  const raw: Record<string, () => string> = {
    ...(values as Record<string, () => string>),
    Material: material(rawCodes, (code) => quote(code).slice(1, -1)),
    GoodsMovementIsCancelled: () => (facts.cancelled ? 'true' : 'false'),
  }
  return {
    load(slot) {
      facts.load(slot)
      return true
    },
    value: (field) => values[field] ?? (() => ''),
    raw: (field) => raw[field],
    constant: (field) => CONSTANTS[field] ?? (field in values ? undefined : '""'),
  }
}

function headerSet(world: World, items: EntitySet): EntitySet {
  return {
    name: 'A_MaterialDocumentHeader',
    type: 'A_MaterialDocumentHeaderType',
    keys: ['MaterialDocumentYear', 'MaterialDocument'],
    hasPlainKeys: true,
    fields: fieldMap({
      String:
        'MaterialDocumentYear MaterialDocument InventoryTransactionType CreatedByUser ' +
        'MaterialDocumentHeaderText ReferenceDocument GoodsMovementCode',
      DateTime: 'DocumentDate PostingDate CreationDate',
      Time: 'CreationTime',
    }),
    navigations: { to_MaterialDocumentItem: items },
    size: () => world.book.total('docs'),
    open: () => openHeaders(world),
    ranges(intervals) {
      const [from, to] = hull(intervals('CreationDate'))
      const [postedFrom, postedTo] = hull(intervals('PostingDate'))
      // The posting date is the document's day or two days earlier.
      return world.book.slots(
        'docs',
        Math.max(dayOr(from, -Infinity), dayOr(postedFrom, -Infinity)),
        Math.min(dayOr(to, Infinity), dayOr(postedTo, Infinity) + 2),
      )
    },
  }
}

function openHeaders(world: World): Rows {
  const place = new PlaceFinder(world.book, 'docs')
  const { book } = world
  let year = ''
  let document = ''
  let isReceipt = false
  let created = 0
  let posting = 0
  let inDay = 0
  let slotNow = 0
  const values: Record<string, () => Value> = {
    MaterialDocumentYear: () => year,
    MaterialDocument: () => document,
    InventoryTransactionType: () => (isReceipt ? 'WE' : 'WA'),
    GoodsMovementCode: () => (isReceipt ? '01' : '03'),
    CreatedByUser: () => 'BUYER01',
    DocumentDate: () => posting * DAY_MS,
    PostingDate: () => posting * DAY_MS,
    CreationDate: () => Math.floor(created / DAY_MS) * DAY_MS,
    CreationTime: () => timeText(created),
  }
  return {
    load(slot) {
      slotNow = slot
      if (!place.find(slot)) {
        const { block } = place
        const added = world.added.document(block.year, slot - block.docSlot)
        year = String(block.year)
        document = added.number
        isReceipt = added.items.some(({ order }) => order !== '')
        created = added.created
        posting = added.posting
        return true
      }
      year = String(place.block.year)
      inDay = place.docsBefore + place.index
      document = book.number(place.block.range as 'issuing' | 'receiving', place.day, inDay)
      isReceipt = place.block.range === 'receiving'
      created = createdAt(world, place.day, inDay, place.ledger.docs)
      posting = place.group.kind === 'issue' ? postingDay(world, place.day, place.index) : place.day
      return true
    },
    value: (field) => values[field] ?? (() => ''),
    children() {
      if (!place.find(slotNow)) {
        const { block } = place
        const { firstItem, items } = world.added.document(block.year, slotNow - block.docSlot)
        return [block.itemSlot + firstItem, block.itemSlot + firstItem + items.length]
      }
      return itemSlots(world, place)
    },
  }
}

function itemSlots(world: World, place: PlaceFinder): [number, number] {
  const { block, day, ledger, group, groupIndex, index } = place
  const { items } = world.book.sums(block.range as 'issuing' | 'receiving')
  let from = block.itemSlot + items[day - world.start]! - items[block.from]!
  for (let i = 0; i < groupIndex; i++) from += ledger.groups[i]!.items
  const each = group.kind === 'receipt' ? EVENTS[group.event]!.lines : LINES_OF[group.kind]
  const first = index * each
  return [from + first, from + Math.min(first + each, group.items)]
}

const dayOr = (value: Value, otherwise: number) =>
  typeof value === 'number' ? Math.floor(value / DAY_MS) : otherwise

const LINES_OF = {
  issue: ISSUE_LINES,
  cancel: ISSUE_LINES,
  return: 1,
  cancelReturn: 1,
  transfer: 2,
} as const

/** The posting date of a goods issue: one of fifty is entered two days late. */
export function postingDay(world: World, day: Day, doc: number): Day {
  if ((doc + mix(world.seed, day, 81)) % 50 !== 9) return day
  const earlier = day - 2
  return earlier >= world.start && yearOf(earlier) === yearOf(day) ? earlier : day
}

/** Documents after the start are created at the end of their day, so that no read of that day misses them. */
function createdAt(world: World, day: Day, index: number, count: number): number {
  if (day >= world.today0) return endOf(day)
  return toMs(day) + 6 * 3_600_000 + Math.floor((index / count) * 50_400) * 1000
}

function timeText(ms: number): string {
  const [hours, minutes, seconds] = new Date(ms).toISOString().slice(11, 19).split(':')
  return `PT${hours}H${minutes}M${seconds}S`
}
