// When suppliers and locations are closed, by source or entered by an administrator.
import { toEpochDay } from '../../../../engine/index.ts'
import type { ClosedDays, Weekday } from '../../../../engine/proposal/index.ts'
import { publicHolidays, UnknownCountry } from '../../../../holidays/public-holidays.ts'
import { Closures, readAs } from '../../../base/database/entities.ts'

/** The source of what administrators enter. */
export const ENTERED = 0

export interface ClosureRow {
  supplier: string
  location: string
  firstDay: string
  lastDay: string
  restDays: string
  country: string
  region: string
  reason: string
}

/** Before today for undated orders; after it for lead times, the 90 days of a forecast and a year. */
const WINDOW = { before: 400, after: 800 }

/** The closed days of the suppliers and locations of a source. */
export class ClosureBook {
  readonly #suppliers = new Map<string, ClosedDays>()
  readonly #locations = new Map<string, ClosedDays>()

  /** @param source null for those of all sources */
  static async read(source: number | null, today: string): Promise<ClosureBook> {
    const rows = await readAs<ClosureRow>(
      SELECT.from(Closures)
        .where(source === null ? {} : { source_ID: { in: [source, ENTERED] } })
        .orderBy('supplier', 'location', 'firstDay', 'restDays', 'country'),
    )
    const book = new ClosureBook()
    const window = { from: toEpochDay(today) - WINDOW.before, to: toEpochDay(today) + WINDOW.after }
    for (const [supplier, own] of Map.groupBy(rows, (row) => row.supplier))
      if (supplier) book.#suppliers.set(supplier, await closedDaysOf(own, window))
    for (const [location, own] of Map.groupBy(rows, (row) => row.location))
      if (location) book.#locations.set(location, await closedDaysOf(own, window))
    return book
  }

  supplier(supplier: string | null): ClosedDays | null {
    return this.#suppliers.get(supplier ?? '') ?? null
  }

  location(location: string): ClosedDays | null {
    return this.#locations.get(location) ?? null
  }
}

interface Window {
  from: number
  to: number
}

async function closedDaysOf(rows: ClosureRow[], window: Window): Promise<ClosedDays> {
  const days = new Set<number>()
  const weekdays = new Set<Weekday>()
  for (const row of rows) {
    const from = Math.max(window.from, toEpochDay(row.firstDay))
    const to = Math.min(window.to, toEpochDay(row.lastDay))
    const rest = [...row.restDays].map(Number) as Weekday[]
    if (row.country) for (const day of await holidaysOf(row, from, to)) days.add(day)
    else if (!rest.length) for (let day = from; day <= to; day++) days.add(day)
    // What holds for years is every week's rest; days of rest of a season are closed days.
    else if (from === window.from && to === window.to) rest.forEach((day) => weekdays.add(day))
    else
      for (let day = from; day <= to; day++)
        if (rest.includes((((((day + 3) % 7) + 7) % 7) + 1) as Weekday)) days.add(day)
  }
  return { weekdays: [...weekdays], days }
}

/** Countries without a known calendar have no holidays. */
async function holidaysOf({ country, region }: ClosureRow, from: number, to: number) {
  const years = { first: yearOf(from), last: yearOf(to) }
  const found = await publicHolidays({ country, region: region || null }, years).catch((error) => {
    if (error instanceof UnknownCountry) return []
    throw error
  })
  return found.map(({ date }) => toEpochDay(date)).filter((day) => day >= from && day <= to)
}

const yearOf = (day: number) => new Date(day * 86_400_000).getUTCFullYear()
