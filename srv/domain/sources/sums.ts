// What was read of an ERP, added up as its own reports print it, so that both can be held against each other.
import { toDate, toEpochDay } from '../../../engine/index.ts'
import {
  type AnyEntity,
  CurrentOpenOrders,
  CurrentStock,
  readAs,
  Series,
} from '../../base/database/entities.ts'
import { inBlocks, native } from '../../base/database/native/index.ts'

export const SUMMED_LISTS = ['stock', 'open_orders', 'demand'] as const

/** What is added up: all of a list by location, or one location of it by SKU. */
interface SumsWanted {
  list: (typeof SUMMED_LISTS)[number]
  location?: string | undefined
  /** `YYYY-MM`, of demand. */
  month?: string | undefined
  /** The first day that is left out, of demand. */
  before?: string | undefined
}

export interface Sum {
  location: string
  /** Null where it is not added up by it. */
  sku: string | null
  month: string | null
  /** Rows behind it; of demand days. */
  rows: number
  /** In base units; of demand less returns. */
  quantity: number
}

/** @returns by location, month and SKU, in this order */
export async function sumsOf(source: number, wanted: SumsWanted): Promise<Sum[]> {
  if (wanted.list === 'demand') return sumsOfDemand(source, wanted)
  const isStock = wanted.list === 'stock'
  const { location } = wanted
  const by = location === undefined ? ['location'] : ['location', 'sku']
  const rows = await readAs<Summed>(
    SELECT.from((isStock ? CurrentStock : CurrentOpenOrders) as AnyEntity)
      .columns(
        ...[...by, 'count(*) as rows'],
        // The ERP itself prints less than nothing as a negative stock.
        ...(isStock
          ? ['sum(onHand) as quantity', 'sum(backorders) as below']
          : ['sum(quantity) as quantity']),
      )
      .where({ source_ID: source, ...(location !== undefined && { location }) })
      .groupBy(...by)
      .orderBy(...by),
  )
  return rows.map((row) => ({
    ...{ location: row.location, sku: row.sku ?? null, month: null },
    ...{ rows: Number(row.rows) },
    quantity: rounded(Number(row.quantity) - Number(row.below ?? 0)),
  }))
}

interface Summed {
  location: string
  sku?: string
  rows: unknown
  quantity: unknown
  below?: unknown
}

async function sumsOfDemand(
  source: number,
  { location, month, before }: SumsWanted,
): Promise<Sum[]> {
  const series = await readAs<{ ID: number; sku: string; location: string }>(
    SELECT.from(Series)
      .columns('ID', 'sku', 'location')
      .where({ source_ID: source, ...(location !== undefined && { location }) })
      .orderBy('ID'),
  )
  const from = month === undefined ? FIRST_DAY : `${month}-01`
  const end = earlier(before ?? END, month === undefined ? END : `${monthAfter(month)}-01`)
  const to = toDate(toEpochDay(end) - 1)
  const sums = new Map<string, Sum>()
  for (const some of inBlocks(series)) {
    const ofSeries = new Map(some.map((one) => [one.ID, one]))
    const days = await native().readDays([...ofSeries.keys()], from, to)
    for (const [ID, date, quantity] of days) {
      const one = ofSeries.get(ID)!
      const of = { location: one.location, sku: location === undefined ? null : one.sku }
      const month = date.slice(0, 7)
      const key = JSON.stringify([of.location, month, of.sku])
      const sum = sums.get(key) ?? { ...of, month, rows: 0, quantity: 0 }
      sums.set(key, sum)
      sum.rows++
      sum.quantity += quantity
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => ({ ...sum, quantity: rounded(sum.quantity) }))
}

/** No demand is stored beyond them. */
const [FIRST_DAY, END] = ['1970-01-01', '2200-01-01']

const earlier = (a: string, b: string) => (a < b ? a : b)

function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const [next, of] = number === 12 ? [1, year + 1] : [number + 1, year]
  return `${String(of).padStart(4, '0')}-${String(next).padStart(2, '0')}`
}

/** Quantities have at most three decimals; what adding up leaves beyond them is no difference. */
const rounded = (quantity: number) => Math.round(quantity * 1e6) / 1e6
