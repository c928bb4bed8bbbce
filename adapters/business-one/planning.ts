import type { Stream } from '../adapter.ts'
import { changedStream } from '../odata/changed-stream.ts'
import { MAX_UNIT_LENGTH, type RecordOf } from '../records.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  type Field,
  mapAbout,
  MAX_DAYS,
  numberOf,
  roundedOf,
  wholeOf,
} from '../rows/values.ts'
import { addRecord } from '../rows/pages.ts'
import type { ItemWarehouse, PlanningRow } from './entities.ts'
import { items } from './masters.ts'
import type { System } from './system.ts'
import { isBought } from './to-sku.ts'
import { OVERLAP_MS } from './values.ts'
import { activeWarehouses, warehousesOf } from './warehouses.ts'

const FIELDS = [
  ...['ItemCode', 'PurchaseItem', 'Valid', 'Frozen', 'Mainsupplier', 'LeadTime'],
  ...['MinOrderQuantity', 'OrderMultiple', 'ProcurementMethod', 'ItemWarehouseInfoCollection'],
  ...['PurchaseUnit', 'PurchaseItemsPerUnit', 'SupplierCatalogNo'],
]

export const planningQuery = (from: number | null) => items(FIELDS, from)

/** What the items' planning data say, at each of their warehouses. */
export const planningStream = (system: System): Stream<'planning'> =>
  changedStream<'planning', PlanningRow>('planning', {
    ...{ reader: system, overlap: OVERLAP_MS },
    queries: (from) => [planningQuery(from)],
    async compose(rows, signal) {
      const active = rows.length ? await activeWarehouses(system, signal) : new Set<string>()
      const batch = { records: [], quarantined: [] }
      for (const row of rows) {
        for (const place of warehousesOf(row, active)) {
          addRecord<'planning', PlanningRow>(
            batch,
            row,
            () => toPlanning(row, place),
            () => `Items('${row.ItemCode}') ${place.WarehouseCode}`,
          )
        }
      }
      return batch
    },
  })

/** Quantities are in the inventory unit; 0 is what an empty field says. */
export const toPlanning = (row: PlanningRow, place: ItemWarehouse): RecordOf<'planning'> =>
  mapAbout(row.ItemCode, place.WarehouseCode, () => {
    const days = wholeOf(row.LeadTime, 'LeadTime')
    if (days > MAX_DAYS) throw new BadValue('LeadTime', `must be at most ${MAX_DAYS}`)
    return {
      sku: codeOf(row.ItemCode, 'ItemCode'),
      location: codeOf(place.WarehouseCode, 'WarehouseCode'),
      leadTimeDays: days || null,
      reviewPeriodDays: null,
      moq:
        positiveOrNull(place.MinimalOrder, 'MinimalOrder') ??
        positiveOrNull(row.MinOrderQuantity, 'MinOrderQuantity'),
      lotSize: positiveOrNull(row.OrderMultiple, 'OrderMultiple'),
      supplier: codeOrNull(row.Mainsupplier, 'Mainsupplier'),
      ...{ unitCost: null, currency: null },
      orderUnit: codeOrNull(row.PurchaseUnit, 'PurchaseUnit', MAX_UNIT_LENGTH),
      unitsPerOrderUnit: positiveOrNull(row.PurchaseItemsPerUnit, 'PurchaseItemsPerUnit'),
      supplierSku: codeOrNull(row.SupplierCatalogNo, 'SupplierCatalogNo'),
      purchasable: isBought(row) && row.ProcurementMethod !== 'bom_Make',
    }
  })

function positiveOrNull(value: Field, field: string): number | null {
  const units = roundedOf(value, field)
  if (units < 0n) throw new BadValue(field, 'must not be negative')
  return units > 0n ? numberOf(units, field) : null
}
