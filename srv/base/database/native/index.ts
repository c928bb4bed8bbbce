import cds from '@sap/cds'
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
  type DemandDay,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
  sortKey,
} from './demand-row.ts'
