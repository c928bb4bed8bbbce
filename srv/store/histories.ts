import cds from '@sap/cds'
import { type DemandHistory, toDate, toEpochDay } from '../../engine/index.ts'

const { SELECT } = cds.ql

/** The engine looks back no further. */
const HISTORY_DAYS = 730

/** The days that count, as a condition: those before `asOf`, so nothing after it is ever read. */
const period = (asOf: string) => {
  const end = toEpochDay(asOf)
  return { between: toDate(end - HISTORY_DAYS), and: toDate(end - 1) }
}

interface DemandRow {
  series: number
  date: string
  quantity: number
  promo: boolean | null
}

/** Demand of some series before a day, at most two years of it, by series number. */
export async function loadHistories(
  series: number[],
  asOf: string,
): Promise<Map<number, DemandHistory>> {
  const rows: DemandRow[] = await SELECT.from('restock.Demand')
    .columns('series', 'date', 'quantity', 'promo')
    .where({
      series: { in: series },
      date: period(asOf),
    })
    .orderBy('series', 'date')
  const histories = new Map<number, DemandHistory>()
  for (let from = 0; from < rows.length;) {
    let to = from
    while (to < rows.length && rows[to]!.series === rows[from]!.series) to++
    histories.set(rows[from]!.series, toHistory(rows.slice(from, to)))
    from = to
  }
  return histories
}

export function toHistory(rows: DemandRow[]): DemandHistory {
  return {
    days: Int32Array.from(rows, ({ date }) => toEpochDay(date)),
    quantities: Float64Array.from(rows, ({ quantity }) => Number(quantity)),
    ...(rows.some(({ promo }) => promo !== null)
      ? { promo: Uint8Array.from(rows, ({ promo }) => (promo ? 1 : 0)) }
      : {}),
  }
}

export const EMPTY_HISTORY: DemandHistory = {
  days: new Int32Array(0),
  quantities: new Float64Array(0),
}

/** Each location's selling SKUs by day and mean daily demand by series, for the engine's contexts. */
export async function loadLocationStatistics(source: number, asOf: string) {
  const byDay: { location: string; date: string; skus: number }[] = await SELECT.from(
    'restock.LocationDays',
  )
    .columns('location', 'date', 'skus')
    .where({ source_ID: source, date: period(asOf) })
    .orderBy('location', 'date')
  const bySeries: { location: string; units: number; first: string }[] = await SELECT.from(
    'restock.SeriesTotals',
  )
    .columns('location', 'units', 'first')
    .where({ source_ID: source, first: { '<': asOf } })
  const statistics = new Map<string, { days: number[]; sellingSkus: number[]; rates: number[] }>()
  const of = (location: string) => {
    const known = statistics.get(location) ?? { days: [], sellingSkus: [], rates: [] }
    statistics.set(location, known)
    return known
  }
  for (const { location, date, skus } of byDay) {
    of(location).days.push(toEpochDay(date))
    of(location).sellingSkus.push(Number(skus))
  }
  for (const { location, units, first } of bySeries) {
    of(location).rates.push(Number(units) / (toEpochDay(asOf) - toEpochDay(first)))
  }
  return statistics
}
