// Whether demand is too old to order by: its age counts from the day by which there had to be newer, by the rhythm in which
// it is booked.
import { type LocationContext, nextBookedBy, toDate, toEpochDay } from '../../engine/index.ts'
import { settings } from '../config.ts'
import { Learnt } from './entities.ts'
import { readLocalDays } from './local-days.ts'

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
