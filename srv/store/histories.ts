import cds from '@sap/cds'
import { type DemandHistory, netReturns, toDate, toEpochDay } from '../../engine/index.ts'
import { type DemandDay, native } from './native/index.ts'

const { SELECT } = cds.ql

/** The engine looks back no further, where demand is booked by day … */
export const HISTORY_DAYS = 730
/** … and where it is booked by the month or week. */
export const POSTED_HISTORY_DAYS = 1830
/** Series of a location that stand for all of it where only its habits matter. */
const SAMPLE = 1_000
const CHUNK = 250

/** Demand of some series in the days before `asOf`, by series number. */
export async function loadHistories(
  series: number[],
  asOf: string,
  historyDays = HISTORY_DAYS,
): Promise<Map<number, DemandHistory>> {
  const end = toEpochDay(asOf)
  const rows = await native().readDays(series, toDate(end - historyDays), toDate(end - 1))
  const histories = new Map<number, DemandHistory>()
  for (let from = 0; from < rows.length;) {
    let to = from
    while (to < rows.length && rows[to]![0] === rows[from]![0]) to++
    histories.set(rows[from]![0], toHistory(rows.slice(from, to)))
    from = to
  }
  return histories
}

/** Days are few and come again with every series. */
const epochDays = new Map<string, number>()

function epochDay(date: string): number {
  let day = epochDays.get(date)
  if (day === undefined) epochDays.set(date, (day = toEpochDay(date)))
  return day
}

function toHistory(rows: DemandDay[]): DemandHistory {
  const quantities = Float64Array.from(rows, ([, , quantity]) => quantity)
  if (quantities.some((quantity) => quantity < 0)) netReturns(quantities)
  return {
    days: Int32Array.from(rows, ([, date]) => epochDay(date)),
    quantities,
    ...(rows.some(([, , , promo]) => promo !== null)
      ? { promo: Uint8Array.from(rows, ([, , , promo]) => (promo ? 1 : 0)) }
      : {}),
  }
}

export const EMPTY_HISTORY: DemandHistory = {
  days: new Int32Array(0),
  quantities: new Float64Array(0),
}

/** Histories of an even sample of each location's series, to learn the habits of the location from. */
export async function loadSample(source: number, asOf: string) {
  const rows: { ID: number; location: string }[] = await SELECT.from('restock.Series')
    .columns('ID', 'location')
    .where({ source_ID: source })
    .orderBy('ID')
  const chosen = [...Map.groupBy(rows, ({ location }) => location).values()].flatMap((all) => {
    const step = Math.ceil(all.length / SAMPLE)
    return all.filter((_, at) => at % step === 0)
  })
  const sample: { location: string; history: DemandHistory }[] = []
  for (let at = 0; at < chosen.length; at += CHUNK) {
    const chunk = chosen.slice(at, at + CHUNK)
    const histories = await loadHistories(
      chunk.map(({ ID }) => ID),
      asOf,
    )
    for (const { ID, location } of chunk) {
      const history = histories.get(ID)
      if (history) sample.push({ location, history })
    }
  }
  return sample
}
