import type { EpochDay } from '../engine/index.ts'
import type { DeclaredFormats } from '../tables/formats.ts'
import { dayReader, promoOf } from './offline/cells.ts'
import { type Histories, sharedInts } from './offline/histories.ts'
import type { Pair } from './offline/pairs.ts'
import { readTable } from './offline/table-file.ts'

const REQUIRED = ['sku', 'location', 'date', 'promo']
const KINDS = new Map([['date', 'date']] as const)

/**
 * Reads the days with a promotion from `asOf` on from a file with columns `sku,location,date,promo`. Rows
 * of other pairs or earlier days are checked and dropped.
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readPlanFile(
  path: string,
  pairs: readonly Pair[],
  asOf: EpochDay,
  declared: DeclaredFormats = {},
): Promise<NonNullable<Histories['plan']>> {
  const keyOf = (sku: string, location: string) => JSON.stringify([sku, location])
  const daysOf = new Map(
    pairs.map(({ sku, location }) => [keyOf(sku, location), new Set<EpochDay>()]),
  )
  const wanted = { columns: { required: REQUIRED, optional: [] }, kinds: KINDS, declared }
  await readTable(path, wanted, (columns, formats) => {
    const readDay = dayReader(formats, 'date')
    const cellOf = (cells: string[], name: string) => cells[columns.get(name)!]!
    return (cells) => {
      const day = readDay(cellOf(cells, 'date'))
      const key = keyOf(cellOf(cells, 'sku'), cellOf(cells, 'location'))
      if (day >= asOf && promoOf(cellOf(cells, 'promo'))) daysOf.get(key)?.add(day)
    }
  })
  const starts = sharedInts(pairs.length + 1)
  const all = pairs.map(({ sku, location }) =>
    [...daysOf.get(keyOf(sku, location))!].sort((a, b) => a - b),
  )
  all.forEach((days, pair) => (starts[pair + 1] = starts[pair]! + days.length))
  const days = sharedInts(starts[pairs.length]!)
  days.set(all.flat())
  return { starts, days }
}
