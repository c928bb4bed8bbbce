import { Sources } from './entities.ts'
import { isDemandOld } from './old-demand.ts'
import { readAllLocalDays, readLocalDays } from './local-days.ts'
import { DAY_MS, today } from './today.ts'

/** Demand is complete up to the day before `dataAsOf`: today's is no day old. */
const daysSince = (dataAsOf: string | null, today: string) =>
  dataAsOf === null ? null : Math.max(0, (Date.parse(today) - Date.parse(dataAsOf)) / DAY_MS)

/** Days that a source's demand lacks up to yesterday, where that is the earliest; null without any. */
export const ageOfDemand = async (source: number, dataAsOf: string | null) =>
  daysSince(dataAsOf, (await readLocalDays(source)).first)

/** Of a source's demand, for its colour: 1 too old to order by, 2 not of yesterday, 3 fresh, 0 without any. */
export async function criticalityOfAge(source: number, dataAsOf: string | null): Promise<number> {
  const age = await ageOfDemand(source, dataAsOf)
  if (age === null) return 0
  if (await isDemandOld(source, dataAsOf)) return 1
  return age > 1 ? 2 : 3
}

/** How many sources there are and cannot be read, and how old the oldest numbers are. */
export async function readSourceStates() {
  const rows = await SELECT.from(Sources).columns('ID', 'status', 'dataAsOf')
  const [dataAsOf = null] = rows.flatMap((row) => row.dataAsOf ?? []).sort()
  const days = await readAllLocalDays()
  const ages = rows.flatMap(
    ({ ID, dataAsOf = null }) => daysSince(dataAsOf, days.get(Number(ID))?.first ?? today()) ?? [],
  )
  const dataAgeDays = ages.length ? Math.max(...ages) : null
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
