// What has changed since an instant, of the lists that say when each of their rows did.
import { DAY_MS } from '../rows/days.ts'
import { instantOf } from '../rows/values.ts'
import { instantLiteral } from '../odata/query.ts'
import { type EntityQuery, withFilter } from '../odata/reader.ts'
import type { System } from './system.ts'

type Ms = number

/** A read goes back this far before the last one began, because changes may be saved late. */
export const OVERLAP_MS: Ms = 10 * 60_000
/** After a whole read the newest change is looked for as far back: more than the clocks of one system differ by. */
export const LOOK_BACK_DAYS = 8

const FIELD = 'LastChangeDateTime'

interface Changed {
  LastChangeDateTime?: string | null
}

/** Of a list whose rows have a `LastChangeDateTime`. */
export const changedSince = (from: Ms, version: 2 | 4 = 2): string =>
  `${FIELD} ge ${instantLiteral(from, version)}`

/** When a read began and ended, by the clock of the ERP's web server. */
export interface Period {
  began: Ms
  ended: Ms
}

/**
 * The instant from which the next read looks: before this one began. The clock that dates changes may differ from that
 * of the web server; by it this read began no earlier than it took before the newest change.
 * @param newest the newest change that was seen; null if none was
 */
export function nextFrom(from: Ms | null, { began, ended }: Period, newest: Ms | null): Ms | null {
  if (newest === null) return from
  const duration = Math.max(0, ended - began)
  return Math.max(Math.min(began, newest - duration) - OVERLAP_MS, from ?? 0)
}

export const newestOf = (rows: readonly Changed[], newest: Ms | null): Ms | null =>
  rows.reduce<Ms | null>((latest, row) => {
    const changed = instantOf(row[FIELD])
    return changed !== null && changed > (latest ?? -Infinity) ? changed : latest
  }, newest)

/**
 * The rows that have changed, and from when the next read looks.
 * @param since when the read began that this one is a part of; this one unless given
 */
export async function readChanges<Row extends Changed>(
  system: System,
  query: EntityQuery,
  from: Ms,
  signal: AbortSignal,
  since?: Ms,
): Promise<{ rows: Row[]; from: Ms }> {
  let began: Ms | null = since ?? null
  let ended: Ms | null = null
  const changed: Row[] = []
  const changedOnly = withFilter(query, changedSince(from, query.service.version))
  for await (const { rows, serverTime } of system.pages<Row>(changedOnly, {}, signal)) {
    ended = serverTime ?? Date.now()
    began ??= ended
    changed.push(...rows)
  }
  const period = { began: began ?? Date.now(), ended: ended ?? Date.now() }
  return { rows: changed, from: nextFrom(from, period, newestOf(changed, null)) ?? from }
}

/** From when the read looks that follows a whole one. @param began the ERP's clock when that began */
export async function firstFrom(
  system: System,
  query: EntityQuery,
  began: Ms,
  signal: AbortSignal,
): Promise<Ms> {
  const from = began - LOOK_BACK_DAYS * DAY_MS
  return (await readChanges(system, query, from, signal, began)).from
}

/** All rows, and the ERP's clock when the read began. */
export async function readWhole<Row extends object>(
  system: System,
  query: EntityQuery,
  signal: AbortSignal,
): Promise<{ rows: Row[]; began: Ms }> {
  let began: Ms | null = null
  const all: Row[] = []
  for await (const { rows, serverTime } of system.pages<Row>(query, {}, signal)) {
    began ??= serverTime
    all.push(...rows)
  }
  return { rows: all, began: began ?? Date.now() }
}
