import { keyRanges } from '../odata/bounds.ts'
import { materialDocuments } from '../services/documents.ts'
import { CANCELS, ISSUES, RECEIPT_SIGNS } from '../world/movement-types.ts'
import type { Expression } from '../odata/filter.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'
import type { ChangeResult } from './change.ts'

/** Posts a document that reverses one line of another. */
export function cancel(world: World, year: string, document: string, line: number): ChangeResult {
  const items = itemSet(world)
  const item = String(line).padStart(4, '0')
  const [range] = keyRanges(items, keyFilter([year, document, item], items.keys))
  const rows = items.open()
  const found = range !== undefined && rows.load(range[0])
  const text = (field: string) => String(rows.value(field)())
  if (!found || text('MaterialDocument') !== document || text('MaterialDocumentItem') !== item) {
    throw new Error(`The sandbox has no document line ${year}/${document}/${item}`)
  }
  const type = CANCELS[text('GoodsMovementType')]
  if (!type) throw new Error(`Movement type ${text('GoodsMovementType')} cannot be cancelled`)
  const order = text('PurchaseOrder')
  const orderItem = order && text('PurchaseOrderItem')
  const milli = Math.round(Number(text('QuantityInBaseUnit')) * 1000)
  if (order) world.orders.changes.receive(order, orderItem, RECEIPT_SIGNS[type]! * milli)
  const made = world.added.add(world.clock.now(), world.clock.today(), [
    {
      sku: text('Material'),
      plant: text('Plant'),
      storageLocation: text('StorageLocation'),
      type,
      milli,
      unit: text('MaterialBaseUnit'),
      reverses: `${year}/${document}/${line}`,
      order,
      orderItem,
      special: '',
      isAutomatic: false,
    },
  ])
  return { kind: 'cancel', document: made.number, year: made.year }
}

/** Reverses the pair's latest goods issue that is not yet reversed. */
export function cancelLast(world: World, sku: string, location: string): ChangeResult {
  const where = { Material: sku, Plant: location }
  return cancelLatest(world, where, ISSUES, `goods issue of ${sku} at ${location}`)
}

/** Reverses the latest receipt of an order's line that is not yet reversed. */
export function cancelReceipt(world: World, order: string, item: string): ChangeResult {
  const where = { PurchaseOrder: order, PurchaseOrderItem: item }
  return cancelLatest(world, where, ['101'], `goods receipt of ${order}/${item}`)
}

/** @throws Error where there is none */
function cancelLatest(
  world: World,
  where: Record<string, string>,
  types: string[],
  what: string,
): ChangeResult {
  const items = itemSet(world)
  const rows = items.open()
  const wanted = Object.entries(where).map(([field, value]) => [rows.value(field), value] as const)
  const [type, cancelled, year, document, line] = [
    'GoodsMovementType',
    'GoodsMovementIsCancelled',
    'MaterialDocumentYear',
    'MaterialDocument',
    'MaterialDocumentItem',
  ].map((field) => rows.value(field))
  for (let slot = items.size() - 1; slot >= 0; slot--) {
    rows.load(slot)
    if (cancelled!() || wanted.some(([read, value]) => read() !== value)) continue
    if (!types.includes(String(type!()))) continue
    return cancel(world, String(year!()), String(document!()), Number(line!()))
  }
  throw new Error(`The sandbox has no ${what}`)
}

function itemSet(world: World): EntitySet {
  return materialDocuments(world)[1]!
}

function keyFilter(values: string[], keys: string[]): Expression {
  return values
    .map((value, i): Expression => ({ kind: 'eq', field: keys[i]!, value, numeric: false }))
    .reduce((left, right): Expression => ({ kind: 'and', left, right }))
}
