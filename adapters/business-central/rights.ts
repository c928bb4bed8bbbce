// What a permission set must let the user read, by the names of the tables in Business Central.
import type { RecordKind } from '../records.ts'
import type { BusinessCentralOptions } from './options.ts'

const TABLES: Partial<Record<RecordKind, string[]>> = {
  locations: ['Location'],
  suppliers: ['Vendor'],
  skus: ['Item', 'Item Category', 'Unit of Measure'],
  planning: ['Item', 'Stockkeeping Unit'],
  stock: ['Item Ledger Entry', 'Transfer Line'],
  openOrders: ['Purchase Line', 'Transfer Line'],
  customerOrders: ['Sales Line'],
  demand: ['Item Ledger Entry'],
}

export const rightsOf = (record: RecordKind): string[] =>
  (TABLES[record] ?? []).map((table) => `Read: ${table}`)

export const neededRightsOf = ({
  planning_service: planning,
}: BusinessCentralOptions): string[] => [
  ...new Set(
    (Object.keys(TABLES) as RecordKind[])
      .filter((record) => record !== 'planning' || planning)
      .flatMap(rightsOf),
  ),
]
