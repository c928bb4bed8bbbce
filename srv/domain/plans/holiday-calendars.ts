// Whose public holidays hold at which location, as administrators say.
import cds from '@sap/cds'
import { assertCountry, UnknownCountry } from '../../../holidays/public-holidays.ts'
import type { Predicate } from '../authority/index.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { HolidayCalendars, readAs } from '../../base/database/entities.ts'
import { toPage } from '../../base/database/rows.ts'
import { markLearning } from '../../base/database/records/mark-planned.ts'

export interface HolidayCalendar {
  /** Empty for all that have none of their own. */
  location: string
  /** Null for none. */
  country: string | null
  region: string | null
}

interface Row extends HolidayCalendar {
  changedAt: string
  changedBy: string
}

export interface CalendarQuery {
  /** The last location seen. */
  after?: string | null
  limit: number
}

const COLUMNS = ['location', 'country', 'region', 'changedAt', 'changedBy'] as const

/** @param visible those that the user sees; null for all */
export async function listCalendars({ after, limit }: CalendarQuery, visible: Predicate | null) {
  const query = SELECT.from(HolidayCalendars)
    .columns(...COLUMNS)
    .limit(limit + 1)
  if (visible) void query.where(visible)
  if (after != null) void query.where({ location: { '>': after } })
  return toPage(await readAs<Row>(query.orderBy('location')), limit, ({ location }) => location)
}

/** @throws Refusal invalid_parameter */
export async function setCalendar(given: Partial<HolidayCalendar>) {
  const country = given.country?.toUpperCase() || null
  const region = given.region?.toUpperCase() || null
  if (region && !country) throw refused('region', 'needs a country')
  if (country)
    await assertCountry({ country, region }).catch((error: unknown) => {
      throw error instanceof UnknownCountry ? refused(error.field, error.message) : error
    })
  const row = {
    ...{ location: given.location ?? '', country, region },
    changedAt: new Date().toISOString(),
    changedBy: cds.context?.user?.id ?? 'system',
  }
  const before = await find(row.location)
  await UPSERT.into(HolidayCalendars).entries(row)
  const detail = { before: before ? saidOf(before) : null, after: saidOf(row) }
  await writeAuditLog('holidays.set', objectOf(row.location), JSON.stringify(detail))
  return { ...row, concerns: await markLearning(row.location) }
}

/** @throws Refusal not_found */
export async function removeCalendar(location: string) {
  const before = await find(location)
  if (!before || !(await DELETE.from(HolidayCalendars).where({ location }))) {
    const where = location ? `location ${location}` : 'all locations'
    throw new Refusal('not_found', `No country is set for ${where}.`)
  }
  await writeAuditLog('holidays.removed', objectOf(location), JSON.stringify(saidOf(before)))
  return { ...before, concerns: await markLearning(location) }
}

async function find(location: string): Promise<Row | undefined> {
  const query = SELECT.from(HolidayCalendars)
    .columns(...COLUMNS)
    .where({ location })
  return (await readAs<Row>(query))[0]
}

const saidOf = ({ country, region }: HolidayCalendar) => ({ country, region })
const objectOf = (location: string) => `holidays:${location || '*'}`
const refused = (target: string, what: string) =>
  new Refusal('invalid_parameter', `${target}: ${what}`, { target })
