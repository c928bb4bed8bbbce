import { dayOf } from '../world/days.ts'
import { decimal } from '../world/decimal.ts'
import { cancel, cancelLast, cancelReceipt } from './cancel.ts'
import { assertExists } from './assert-exists.ts'
import { changeOrderHeader, changeOrderLine, changeScheduleLine, order, receive } from './order.ts'
import { planRequirement } from './plan-requirement.ts'
import { changePrice } from './price.ts'
import { reserve } from './reserve.ts'
import { touch } from './touch.ts'
import type { State } from '../state.ts'
import type { World } from '../world/world.ts'
import type { Change, ChangeResult } from './change.ts'

const STOCK_PLACES = [
  { StorageLocation: '101A', Batch: '' },
  { StorageLocation: '101A', Batch: 'B000000001' },
  { StorageLocation: '101A', Batch: 'B000000002' },
  { StorageLocation: '101B', Batch: '' },
]

/** @throws Error where the change names something that does not exist */
export function applyChange({ world }: State, change: Change): ChangeResult {
  switch (change.kind) {
    case 'issue':
      return post(world, change, change.type ?? '601')
    case 'return':
      return post(world, change, change.type ?? '653')
    case 'cancel':
      return cancel(world, String(change.year), change.document, change.item ?? 1)
    case 'cancelLast':
      return cancelLast(world, change.sku, change.location)
    case 'onHand':
      for (const place of STOCK_PLACES) {
        const first = place === STOCK_PLACES[0]
        putStock(world, change, place, '01', first ? change.quantity : null)
      }
      break
    case 'stock': {
      const { storageLocation = '101A', batch = '', type = '01', quantity } = change
      putStock(world, change, { StorageLocation: storageLocation, Batch: batch }, type, quantity)
      break
    }
    case 'rename': {
      const key = { Product: change.sku, Language: 'EN' }
      world.patches.put('A_ProductDescription', key, { ProductDescription: change.name })
      touch(world, change.sku)
      break
    }
    case 'flag':
      touch(world, change.sku, { IsMarkedForDeletion: true })
      break
    case 'vanish':
      world.removedSkus.add(assertExists(world.pairs.findSku(change.sku), change.sku))
      break
    case 'recreate':
      touch(world, change.sku)
      world.removedSkus.delete(assertExists(world.pairs.findSku(change.sku), change.sku))
      break
    case 'planning': {
      const key = { Product: change.sku, Plant: change.location }
      world.patches.put('A_ProductSupplyPlanning', key, change.values)
      if (change.stamped) touch(world, change.sku)
      break
    }
    case 'price':
      changePrice(world, change)
      break
    case 'supplier': {
      const values = { PurchasingIsBlocked: change.blocked }
      world.patches.put('A_Supplier', { Supplier: change.supplier }, values)
      break
    }
    case 'order':
      return order(world, change)
    case 'receive':
      return receive(world, change)
    case 'cancelReceipt':
      return cancelReceipt(world, change.order, change.item)
    case 'orderLine':
      changeOrderLine(world, change)
      break
    case 'orderHeader':
      changeOrderHeader(world, change)
      break
    case 'scheduleLine':
    case 'splitSchedule':
      changeScheduleLine(world, change)
      break
    case 'reserve':
      reserve(world, change)
      break
    case 'planRequirement':
      planRequirement(world, change)
      break
    case 'row':
      world.patches.put(change.set, change.key, change.values)
  }
  return { kind: change.kind }
}

function post(
  world: World,
  change: Extract<Change, { kind: 'issue' | 'return' }>,
  type: string,
): ChangeResult {
  const pair = assertExists(
    world.pairs.find(change.sku, change.location),
    `${change.sku} ${change.location}`,
  )
  const { postingDate } = change
  const posting = postingDate === undefined ? world.clock.today() : dayOf(postingDate)
  const document = world.added.add(world.clock.now(), posting, [
    {
      sku: change.sku,
      plant: change.location,
      storageLocation: '101A',
      type,
      milli: Math.round(change.quantity * 1000),
      unit: world.baseUnits[world.pairs.skuOf(pair)]!,
      reverses: '',
      order: '',
      orderItem: '',
      special: 'special' in change ? (change.special ?? '') : '',
      isAutomatic: false,
    },
  ])
  return { kind: change.kind, document: document.number, year: document.year }
}

function putStock(
  world: World,
  { sku, location }: { sku: string; location: string },
  place: { StorageLocation: string; Batch: string },
  type: string,
  quantity: number | null,
): void {
  const pair = assertExists(world.pairs.find(sku, location), `${sku} ${location}`)
  const key = {
    Material: sku,
    Plant: location,
    ...place,
    Supplier: '',
    Customer: '',
    WBSElementInternalID: '',
    SDDocument: '',
    SDDocumentItem: '0',
    InventorySpecialStockType: '',
    InventoryStockType: type,
  }
  const row =
    quantity === null
      ? null
      : {
          MaterialBaseUnit: world.baseUnits[world.pairs.skuOf(pair)]!,
          MatlWrhsStkQtyInMatlBaseUnit: decimal(Math.round(quantity * 1000)),
        }
  world.patches.put('A_MatlStkInAcctMod', key, row)
}
