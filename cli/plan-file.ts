import type { EpochDay } from '../engine/index.ts'
import { type Columns, columnsOf } from './offline/columns.ts'
import { type Histories, sharedInts } from './offline/histories.ts'
import type { Pair } from './offline/pairs.ts'
import { BadRow, eachRow } from './offline/records.ts'
import { dateReader, promoOf } from './offline/values.ts'

const REQUIRED = ['sku', 'location', 'date', 'promo'] as const

/**
 * Reads the days with a promotion from `asOf` on from a file with columns `sku,location,date,promo`. Rows
 * of other pairs or earlier days are checked and dropped.
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readPlanFile(
  path: string,
  pairs: readonly Pair[],
  asOf: EpochDay,
): Promise<NonNullable<Histories['plan']>> {
  const keyOf = ({ sku, location }: Pair) => JSON.stringify([sku, location])
  const daysOf = new Map(pairs.map((pair) => [keyOf(pair), new Set<EpochDay>()]))
  const readDate = dateReader()
  let columns: Columns<(typeof REQUIRED)[number]> | undefined
  await eachRow(
    path,
    (header) => {
      columns = columnsOf(header, REQUIRED)
    },
    (cells) => {
      const at = columns!
      const pair = { sku: cells[at.sku]!, location: cells[at.location]! }
      const day = readDate(cells[at.date]!)
      if (Number.isNaN(day)) throw new BadRow(`no date: ${JSON.stringify(cells[at.date])}`)
      if (day >= asOf && promoOf(cells[at.promo]!)) daysOf.get(keyOf(pair))?.add(day)
    },
  )
  const starts = sharedInts(pairs.length + 1)
  const all = pairs.map((pair) => [...daysOf.get(keyOf(pair))!].sort((a, b) => a - b))
  all.forEach((days, pair) => (starts[pair + 1] = starts[pair]! + days.length))
  const days = sharedInts(starts[pairs.length]!)
  days.set(all.flat())
  return { starts, days }
}
