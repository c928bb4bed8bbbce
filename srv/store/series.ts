import cds from '@sap/cds'
import { takeNumbers } from './counters.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

export interface Pair {
  sku: string
  location: string
}

export const pairKey = ({ sku, location }: Pair) => JSON.stringify([sku, location])

/**
 * The numbers of the source's pairs by `pairKey`; new pairs get one.
 * @param known pairs already resolved in this run; it is filled
 */
export async function resolveSeries(source: number, pairs: Pair[], known: Map<string, number>) {
  const unknown = new Map(pairs.map((pair) => [pairKey(pair), pair]))
  for (const key of known.keys()) unknown.delete(key)
  if (!unknown.size) return
  const skus = [...new Set([...unknown.values()].map(({ sku }) => sku))]
  const stored = await SELECT.from('restock.Series')
    .columns('ID', 'sku', 'location')
    .where({ source_ID: source, sku: { in: skus } })
  for (const row of stored) {
    known.set(pairKey(row), row.ID)
    unknown.delete(pairKey(row))
  }
  if (!unknown.size) return
  let ID = await takeNumbers('series', unknown.size)
  const entries = []
  for (const [key, { sku, location }] of unknown) {
    known.set(key, ID)
    entries.push({ ID: ID++, source_ID: source, sku, location, dirty: true })
  }
  await INSERT.into('restock.Series').entries(entries)
}

export async function markDirty(series: number[]) {
  if (series.length) {
    await UPDATE.entity('restock.Series')
      .set({ dirty: true })
      .where({ ID: { in: series } })
  }
}

/** Pairs whose demand is gone are gone too, with their forecasts. */
export async function removeEmptySeries(source: number) {
  const gone = await SELECT.from('restock.Series as s').columns('ID')
    .where`s.source.ID = ${source} and not exists (select 1 as one from restock.Demand as d where d.series = s.ID)`
  const series: number[] = gone.map((row: { ID: number }) => row.ID)
  for (let at = 0; at < series.length; at += 1000) {
    const chunk = { in: series.slice(at, at + 1000) }
    await DELETE.from('restock.Forecasts').where({ series: chunk })
    await DELETE.from('restock.BlockedPairs').where({ series: chunk })
    await DELETE.from('restock.Series').where({ ID: chunk })
  }
}
