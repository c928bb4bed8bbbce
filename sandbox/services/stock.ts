// API_MATERIAL_STOCK_SRV
import { objectSet } from '../odata/object-set.ts'
import { decimal } from '../world/decimal.ts'
import { revisionsOf } from '../world/revisions.ts'
import { STOCK_SLOTS, stockRow } from '../world/stock.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function stock(world: World): EntitySet[] {
  const { pairs, demand, clock, patches } = world
  const rowAt = (slot: number) =>
    stockRow(pairs, demand, Math.floor(slot / STOCK_SLOTS), slot % STOCK_SLOTS, clock.today())
  return [
    objectSet(
      {
        name: 'A_MatlStkInAcctMod',
        keys:
          'Material Plant StorageLocation Batch Supplier Customer WBSElementInternalID SDDocument ' +
          'SDDocumentItem InventorySpecialStockType InventoryStockType',
        fields:
          'Material Plant StorageLocation Batch Supplier Customer WBSElementInternalID SDDocument ' +
          'SDDocumentItem InventorySpecialStockType InventoryStockType WBSElementExternalID ' +
          'MaterialBaseUnit|Decimal: MatlWrhsStkQtyInMatlBaseUnit',
        size: () => pairs.count * STOCK_SLOTS,
        hasRow(slot) {
          const sku = pairs.skuOf(Math.floor(slot / STOCK_SLOTS))
          const { milli, text } = rowAt(slot)
          return (milli !== null || text !== undefined) && !revisionsOf(world, sku).isRemoved
        },
        build(slot) {
          const pair = Math.floor(slot / STOCK_SLOTS)
          const sku = pairs.skuOf(pair)
          const row = rowAt(slot)
          return {
            Material: pairs.codes[sku]!,
            Plant: pairs.plantCodes[pairs.plantOf(pair)]!,
            StorageLocation: row.location,
            Batch: row.batch,
            Supplier: row.supplier,
            Customer: '',
            WBSElementInternalID: '',
            SDDocument: row.order,
            SDDocumentItem: row.order ? '10' : '0',
            InventorySpecialStockType: row.special,
            InventoryStockType: row.type,
            MaterialBaseUnit: world.baseUnits[sku]!,
            MatlWrhsStkQtyInMatlBaseUnit:
              row.text ?? (row.milli === null ? null : decimal(row.milli)),
          }
        },
      },
      patches,
    ),
  ]
}
