import { Sources } from './entities.ts'
import { isDemandOld } from './old-demand.ts'
import { DAY_MS, today } from './today.ts'

/** Demand is complete up to the day before `dataAsOf`: today's is no day old. */
const daysSince = (dataAsOf: string | null) =>
  dataAsOf === null ? null : Math.max(0, (Date.parse(today()) - Date.parse(dataAsOf)) / DAY_MS)

/** Of a source's demand, for its colour: 1 too old to order by, 2 not of yesterday, 3 fresh, 0 without any. */
export async function criticalityOfAge(source: number, dataAsOf: string | null): Promise<number> {
  const age = daysSince(dataAsOf)
  if (age === null) return 0
  if (await isDemandOld(source, dataAsOf)) return 1
  return age > 1 ? 2 : 3
}

/** How many sources there are and cannot be read, and how old the oldest numbers are. */
export async function readSourceStates() {
  const rows = await SELECT.from(Sources).columns('ID', 'status', 'dataAsOf')
  const [dataAsOf = null] = rows.flatMap((row) => row.dataAsOf ?? []).sort()
  const dataAgeDays = daysSince(dataAsOf)
  return {
    sources: rows.length,
    failing: rows.filter(({ status }) => status === 'failing' || status === 'reconsent_required')
      .length,
    dataAsOf,
    dataAgeDays,
    /** Older than what proposals are due from: over a weekend, or until the next booking, nobody need be alarmed. */
    isStale: (await Promise.all(rows.map((row) => isDemandOld(row.ID, row.dataAsOf ?? null)))).some(
      Boolean,
    ),
  }
}
