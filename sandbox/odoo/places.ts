import type { Company } from '../company/company.ts'
import type { ModelRecord } from '../models/predicate.ts'

export const SUPPLIERS = { id: 4, name: 'Vendors', usage: 'supplier' }
export const CUSTOMERS = { id: 5, name: 'Customers', usage: 'customer' }
/** Subcontractors, and one of them, in no warehouse. */
export const SUBCONTRACTING = { id: 6, name: 'Subcontracting', usage: 'internal' }
export const SUBCONTRACTOR = { id: 7, name: 'Workshop', usage: 'internal' }
/** Between two warehouses. */
export const TRANSIT = { id: 8, name: 'Inter-warehouse transit', usage: 'transit' }
export const LOSS = { id: 3, name: 'Inventory adjustment', usage: 'inventory' }

/** The view location of a warehouse; its stock and a shelf in it have the next two numbers. */
export const warehouseView = (warehouse: number): number => 100 + 10 * warehouse

export const stockOf = (warehouse: number) => ({
  ...{ id: warehouseView(warehouse) + 1, name: 'Stock', usage: 'internal' },
})

export const locationRows = (company: Company): ModelRecord[] => [
  ...[LOSS, SUPPLIERS, CUSTOMERS, TRANSIT].map((place) => ({
    ...place,
    parent_path: `1/${place.id}/`,
  })),
  { ...SUBCONTRACTING, parent_path: `1/${SUBCONTRACTING.id}/` },
  { ...SUBCONTRACTOR, parent_path: `1/${SUBCONTRACTING.id}/${SUBCONTRACTOR.id}/` },
  ...company.locations.flatMap(({ id, code }) => {
    const view = warehouseView(id)
    return [
      { id: view, name: code, usage: 'view', parent_path: `1/${view}/` },
      { ...stockOf(id), parent_path: `1/${view}/${view + 1}/` },
      {
        ...{ id: view + 2, name: 'Shelf', usage: 'internal' },
        parent_path: `1/${view}/${view + 1}/${view + 2}/`,
      },
    ]
  }),
]
