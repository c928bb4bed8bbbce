import type { Company } from '../company/company.ts'
import type { ModelRecord } from '../models/predicate.ts'

export const SUPPLIERS = { id: 5, type: 'supplier' }
export const CUSTOMERS = { id: 6, type: 'customer' }
export const LOSS = { id: 7, type: 'lost_found' }
export const FACTORY = { id: 8, type: 'production' }

export const warehouseId = (location: number): number => 100 + 10 * location
export const storageOf = (location: number) => ({
  ...{ id: warehouseId(location) + 1, type: 'storage' },
})

export const locationRows = (company: Company): ModelRecord[] => [
  ...[SUPPLIERS, CUSTOMERS, LOSS, FACTORY].map((place) => ({
    ...{ ...place, name: place.type, code: null, active: true, warehouse: null, address: null },
  })),
  ...company.locations.flatMap(({ id, code, name }) => {
    const warehouse = { id: warehouseId(id) }
    return [
      {
        ...{ id: warehouse.id, name, code, type: 'warehouse', active: true, warehouse },
        address: { id, country: { id: 1, code: 'DE' } },
      },
      {
        ...{ ...storageOf(id), name: 'Storage', code: null, active: true, warehouse },
        address: null,
      },
    ]
  }),
]
