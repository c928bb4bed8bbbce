import cds from '@sap/cds'
import { driverConnection } from '../../cap/connection.ts'
import { inTransaction } from '../../cap/context.ts'
import {
  CustomerOrders,
  DemandRows,
  Forecasts,
  OpenOrders,
  Planning,
  Series,
  Skus,
  Stock,
} from '../entities.ts'
import type { NativeDemand } from './demand-row.ts'
import * as portable from './portable.ts'
import * as postgres from './postgres.ts'
import * as sqlite from './sqlite.ts'

const NATIVE: Record<string, NativeDemand> = { sqlite, postgres }

/** The implementation for the connected database. */
export const native = (): NativeDemand => NATIVE[cds.db.kind] ?? portable

export {
  blockOf,
  blocksOf,
  inBlocks,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
  sortKey,
} from './demand-row.ts'

// What the planner of PostgreSQL knows of tables. Its own look at them comes a minute or more after a first load, when
// forecasts and proposals have long been planned for empty ones.

const LOADED = [DemandRows, Series, Stock, Planning, Skus, OpenOrders, CustomerOrders, Forecasts]

/** Takes fresh statistics of what a sync loads; tables that are another user's are left out by the database. */
export async function refreshStatistics(): Promise<void> {
  if (cds.db.kind !== 'postgres') return
  const tables = LOADED.map((entity) => String(entity).replaceAll('.', '_'))
  await inTransaction(async () => {
    const client = await driverConnection<{ query(sql: string): Promise<unknown> }>()
    await client.query(`ANALYZE ${tables.join(', ')}`)
  })
}
