import cds from '@sap/cds'
import type { AnyEntity } from '../../srv/base/database/entities.ts'

/** An entity whose name is known at run time only, or which has no type. */
export const entityNamed = (name: string) => name as AnyEntity

/** The rows that SQL gives, whose form is the caller's word. */
export const runSql = async <T>(sql: string) => (await cds.run(sql)) as T[]
