// Which country's public holidays apply at which location, as administrators enter it.
import cds from '@sap/cds'
import { assertCountry, UnknownCountry } from '../../../holidays/public-holidays.ts'
import { afterCommit, inTransaction } from '../../base/cap/context.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { HolidayCalendars, readAs } from '../../base/database/entities.ts'
import { toPage } from '../../base/database/rows.ts'
import { markLearning } from '../../base/database/records/mark-planned.ts'
import { assertMaySetPolicy, visibleHolidayCalendars } from '../authority/index.ts'
import { forecastAnew } from './forecast-anew.ts'

interface Values {
  /** Empty for all locations without a calendar of their own. */
  location: string
  /** Null for no public holidays. */
  country: string | null
  region: string | null
}

export interface HolidayCalendar extends Values {
  changedAt: string
  changedBy: string
  /** For a calendar that was just set: the number of SKUs at locations that it concerns. */
  concerns?: number
}

interface CalendarQuery {
  /** The last location seen. */
  after?: string | null
  limit: number
}

const calendars = () =>
  SELECT.from(HolidayCalendars).columns('location', 'country', 'region', 'changedAt', 'changedBy')

export async function listCalendars({ after, limit }: CalendarQuery) {
  const query = calendars().limit(limit + 1)
  const visible = visibleHolidayCalendars(cds.context!.user)
  if (visible) void query.where(visible)
  if (after != null) void query.where({ location: { '>': after } })
  const rows = await readAs<HolidayCalendar>(query.orderBy('location'))
  return toPage(rows, limit, ({ location }) => location)
}

/**
 * Sets a calendar. The series at the location are learnt, forecast and proposed anew in the background.
 * @throws Refusal invalid_parameter
 */
export const setCalendar = (given: { [Name in keyof Values]?: string | null }) =>
  inTransaction(async (): Promise<HolidayCalendar> => {
    const user = cds.context!.user
    await assertMaySetPolicy(user, { location: given.location })
    const country = given.country?.toUpperCase() || null
    const region = given.region?.toUpperCase() || null
    if (region && !country) throw refused('region', 'needs a country')
    if (country)
      await assertCountry({ country, region }).catch((error: unknown) => {
        throw error instanceof UnknownCountry ? refused(error.field, error.message) : error
      })
    const changedAt = new Date().toISOString()
    const location = given.location ?? ''
    const row = { location, country, region, changedAt, changedBy: user.id }
    const before = await find(location)
    await UPSERT.into(HolidayCalendars).entries(row)
    const detail = { before: before ? saidOf(before) : null, after: saidOf(row) }
    await writeAuditLog('holidays.set', objectOf(location), JSON.stringify(detail))
    return { ...row, concerns: await learnAnew(location) }
  })

/** @throws Refusal not_found */
export const removeCalendar = (location: string) =>
  inTransaction(async () => {
    await assertMaySetPolicy(cds.context!.user, { location })
    const before = await find(location)
    if (!before || !(await DELETE.from(HolidayCalendars).where({ location }))) {
      const where = location ? `location ${location}` : 'all locations'
      throw new Refusal('not_found', `No country is set for ${where}.`)
    }
    await writeAuditLog('holidays.removed', objectOf(location), JSON.stringify(saidOf(before)))
    await learnAnew(location)
  })

/** @returns how many SKUs at locations it concerns */
async function learnAnew(location: string) {
  const concerns = await markLearning(location)
  if (concerns) afterCommit(() => forecastAnew({ holidaysOf: location }))
  return concerns
}

async function find(location: string): Promise<HolidayCalendar | undefined> {
  return (await readAs<HolidayCalendar>(calendars().where({ location })))[0]
}

const saidOf = ({ country, region }: Values) => ({ country, region })
const objectOf = (location: string) => `holidays:${location || '*'}`
const refused = (target: string, what: string) =>
  new Refusal('invalid_parameter', `${target}: ${what}`, { target })
