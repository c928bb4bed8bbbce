// Whether demand is too old to order by: its age counts from the day by which there had to be newer, by the rhythm in which
// it is booked.
import { type LocationContext, nextBookedBy, toDate, toEpochDay } from '../../../../engine/index.ts'
import { Learnt, Sources } from '../entities.ts'
import { settings } from '../../settings/config.ts'
import { DAY_MS, readAllLocalDays, readLocalDays, today } from '../../time/days.ts'

/** Data of this day are too old from the day after so many on. @param today the earliest one of the source's locations */
export const isTooOld = (day: string, today: string) =>
  toEpochDay(today) - toEpochDay(day) > settings().staleDataAfterDays

/** @param dataAsOf the day after the source's newest demand; null where it has none */
export async function isDemandOld(source: number, dataAsOf: string | null): Promise<boolean> {
  if (dataAsOf === null) return false
  const { first: today } = await readLocalDays(source)
  return isTooOld(dataAsOf, today) && isTooOld(await newerBy(source, dataAsOf), today)
}

/** Demand of yesterday is no day old; where all locations book by week or month, the next booking of any is waited for. */
async function newerBy(source: number, dataAsOf: string): Promise<string> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
  const postings = contexts.flatMap(([, { posting }]) => posting ?? [])
  if (!contexts.length || postings.length < contexts.length) return dataAsOf
  const last = toEpochDay(dataAsOf) - 1
  return toDate(Math.min(...postings.map((posting) => nextBookedBy(posting, last))))
}

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
