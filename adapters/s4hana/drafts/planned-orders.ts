// Planned orders for what is bought: proposals of material requirements planning that nobody has made a requisition of.
import type { RecordOf } from '../../records.ts'
import { toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../../rows/pages.ts'
import { codeOf, codeOrNull, dayOf, mapAbout, numberOf, unitsOf } from '../../rows/values.ts'
import type { PlannedOrderRow } from '../entities.ts'
import { PLANNED_ORDER } from '../services.ts'
import type { System } from '../system.ts'

export const PLANNED_ORDERS = {
  service: PLANNED_ORDER,
  set: 'A_PlannedOrder',
  key: ['PlannedOrder'],
  select: names(
    `PlannedOrder Material MRPPlant TotalQuantity PlndOrderPlannedEndDate FixedSupplier
     AccountAssignmentCategory`,
  ),
  // F: bought.
  filter: "MaterialProcurementCategory eq 'F'",
}

/**
 * All, each time: planning deletes them without a trace.
 * @throws Fatal where they may not be read
 */
export const readPlannedOrders = (
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> =>
  pagesOf<'drafts', PlannedOrderRow>(
    system.pages<PlannedOrderRow>(PLANNED_ORDERS, {}, signal),
    (page, rows) =>
      addRecords(
        page,
        rows,
        toPlannedOrder,
        ({ PlannedOrder }) => `${PLANNED_ORDERS.set}('${PlannedOrder}')`,
      ),
  )

const QUANTITY = 'TotalQuantity'

/** Null for what is planned for a customer's order or a project. */
export const toPlannedOrder = (row: PlannedOrderRow): RecordOf<'drafts'> | null =>
  mapAbout(row.Material, row.MRPPlant, () => {
    if (row.AccountAssignmentCategory) return null
    // It is in base units.
    const quantity = numberOf(toThreePlaces(unitsOf(row[QUANTITY], QUANTITY)), QUANTITY)
    if (quantity === 0) return null
    return {
      document: codeOf(row.PlannedOrder, 'PlannedOrder'),
      line: '1',
      kind: 'planned_order',
      sku: codeOf(row.Material, 'Material'),
      location: codeOf(row.MRPPlant, 'MRPPlant'),
      quantity,
      due: dayOf(row.PlndOrderPlannedEndDate, 'PlndOrderPlannedEndDate'),
      // Planning does not say when it made one; as long as it is there, planning wants it.
      createdOn: null,
      supplier: codeOrNull(row.FixedSupplier, 'FixedSupplier'),
    }
  })
