// Whether demand is too old to order by. Its age counts from the day when newer demand was expected, by the rhythm in which
// it is booked.
import { type LocationContext, nextBookedBy, toDate, toEpochDay } from '../../../../engine/index.ts'
import { Learnt, Sources } from '../entities.ts'
import { settings } from '../../settings/config.ts'
import { DAY_MS, readAllLocalDays, readLocalDays, today } from '../../time/days.ts'

/** @param today the earliest day of the source's locations @returns whether data of this day are older than allowed */
export const isTooOld = (day: string, today: string) =>
  toEpochDay(today) - toEpochDay(day) > settings().staleDataAfterDays

/** @param dataAsOf the day after the source's newest demand; null where it has none */
export async function isDemandOld(source: number, dataAsOf: string | null): Promise<boolean> {
  if (dataAsOf === null) return false
  const { first: today } = await readLocalDays(source)
  return isTooOld(dataAsOf, today) && isTooOld(await newerBy(source, dataAsOf), today)
}

/** By when newer demand was expected: the next day, or the next booking if all locations book by week or month. */
async function newerBy(source: number, dataAsOf: string): Promise<string> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
  const postings = contexts.flatMap(([, { posting }]) => posting ?? [])
  if (!contexts.length || postings.length < contexts.length) return dataAsOf
  const last = toEpochDay(dataAsOf) - 1
  return toDate(Math.min(...postings.map((posting) => nextBookedBy(posting, last))))
}

/** Demand is complete up to the day before `dataAsOf`, so that demand of yesterday is 0 days old. */
export const daysSince = (dataAsOf: string | null, today: string) =>
  dataAsOf === null ? null : Math.max(0, (Date.parse(today) - Date.parse(dataAsOf)) / DAY_MS)

/** How many days of demand up to yesterday a source lacks; null without any demand. */
export const ageOfDemand = async (source: number, dataAsOf: string | null) =>
  daysSince(dataAsOf, (await readLocalDays(source)).first)

/** The colour of a source's demand: 1 too old to order by, 2 older than yesterday, 3 fresh, 0 without any. */
export async function criticalityOfAge(source: number, dataAsOf: string | null): Promise<number> {
  const age = await ageOfDemand(source, dataAsOf)
  if (age === null) return 0
  if (await isDemandOld(source, dataAsOf)) return 1
  return age > 1 ? 2 : 3
}

/** The number of sources, of those that cannot be read, and the age of the oldest data. */
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
    /** Only data that are too old to order by are stale: at weekends, or before the next booking, nobody need worry. */
    isStale: (await Promise.all(rows.map((row) => isDemandOld(row.ID, row.dataAsOf ?? null)))).some(
      Boolean,
    ),
  }
}
