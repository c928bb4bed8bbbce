import { keyRange } from '../odata/bounds.ts'
import { materialDocuments } from '../services/documents.ts'
import { CANCELS, ISSUES } from '../world/movement-types.ts'
import type { Expression } from '../odata/filter.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'
import type { ChangeResult } from './change.ts'

/** Posts a document that reverses one line of another. */
export function cancel(world: World, year: string, document: string, line: number): ChangeResult {
  const items = itemSet(world)
  const item = String(line).padStart(4, '0')
  const [slot] = keyRange(items, keyFilter([year, document, item], items.keys))
  const rows = items.open()
  const found = slot < items.size() && rows.load(slot)
  const text = (field: string) => String(rows.value(field)())
  if (!found || text('MaterialDocument') !== document || text('MaterialDocumentItem') !== item) {
    throw new Error(`The sandbox has no document line ${year}/${document}/${item}`)
  }
  const type = CANCELS[text('GoodsMovementType')]
  if (!type) throw new Error(`Movement type ${text('GoodsMovementType')} cannot be cancelled`)
  const made = world.added.add(world.clock.now(), world.clock.today(), [
    {
      sku: text('Material'),
      plant: text('Plant'),
      storageLocation: text('StorageLocation'),
      type,
      milli: Math.round(Number(text('QuantityInBaseUnit')) * 1000),
      unit: text('MaterialBaseUnit'),
      reverses: `${year}/${document}/${line}`,
      order: '',
      orderItem: '',
      special: '',
      isAutomatic: false,
    },
  ])
  return { kind: 'cancel', document: made.number, year: made.year }
}

/** Reverses the pair's latest goods issue that is not yet reversed. */
export function cancelLast(world: World, sku: string, location: string): ChangeResult {
  const items = itemSet(world)
  const rows = items.open()
  const [material, plant, type, cancelled, year, document, line] = [
    'Material',
    'Plant',
    'GoodsMovementType',
    'GoodsMovementIsCancelled',
    'MaterialDocumentYear',
    'MaterialDocument',
    'MaterialDocumentItem',
  ].map((field) => rows.value(field))
  for (let slot = items.size() - 1; slot >= 0; slot--) {
    rows.load(slot)
    if (material!() !== sku || plant!() !== location || cancelled!()) continue
    if (!ISSUES.includes(String(type!()))) continue
    return cancel(world, String(year!()), String(document!()), Number(line!()))
  }
  throw new Error(`The sandbox has no goods issue of ${sku} at ${location}`)
}

function itemSet(world: World): EntitySet {
  return materialDocuments(world)[1]!
}

function keyFilter(values: string[], keys: string[]): Expression {
  return values
    .map((value, i): Expression => ({ kind: 'eq', field: keys[i]!, value, numeric: false }))
    .reduce((left, right): Expression => ({ kind: 'and', left, right }))
}
