import type { Dialect } from './dialect.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'

export const DIALECTS: readonly Dialect[] = [postgres, mariadb]

export type DialectName = string

export const dialectNamed = (name: DialectName): Dialect =>
  DIALECTS.find((each) => each.name === name)!
