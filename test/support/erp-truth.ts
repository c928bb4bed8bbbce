import cds from '@sap/cds'
import type { Erp, PairTruth } from '../erp/index.ts'

const { SELECT } = cds.ql

const near = (a: unknown, b: unknown) => {
  if (a === null || b === null || a === undefined || b === undefined)
    return (a ?? null) === (b ?? null)
  return Math.abs(Number(a) - Number(b)) < 0.0005
}

/** Days with demand, net, as they are stored. */
async function storedDemand(source: number) {
  const rows = await SELECT.from('restock.Demand as d').columns(
    'd.series as series',
    'd.date as date',
    'sum(d.quantity) as quantity',
  ).where`d.series in (select ID from restock.Series where source.ID = ${source})`.groupBy(
    'd.series',
    'd.date',
  )
  const days = new Map<number, Map<string, number>>()
  for (const { series, date, quantity } of rows) {
    if (near(quantity, 0)) continue
    const ofSeries = days.get(series) ?? new Map<string, number>()
    days.set(series, ofSeries.set(date, Number(quantity)))
  }
  return days
}

/** Where what is stored of a source differs from what the ERP holds; empty where all is equal. */
export async function differences(source: number, erp: Erp): Promise<string[]> {
  const found: string[] = []
  const days = await storedDemand(source)
  const rows = await SELECT.from('restock.PairInputs').where({ source_ID: source })
  const pairs = new Map(
    rows.map((row: Record<string, unknown>) => [`${row.sku} ${row.location}`, row]),
  )
  for (const truth of erp.truth() as Iterable<PairTruth>) {
    const name = `${truth.sku} ${truth.location}`
    const row = pairs.get(name) as Record<string, unknown> | undefined
    pairs.delete(name)
    if (!row) {
      if (truth.demand.length) found.push(`${name}: missing`)
      continue
    }
    const expected = { onHand: truth.onHand, onOrder: truth.onOrder }
    for (const [field, value] of Object.entries(expected)) {
      if (!near(row[field] ?? 0, value)) found.push(`${name}: ${field} ${row[field]}, not ${value}`)
    }
    if (!near(row.leadTimeDays, truth.leadTimeDays)) {
      found.push(`${name}: leadTimeDays ${row.leadTimeDays}, not ${truth.leadTimeDays}`)
    }
    const stored = days.get(row.ID as number) ?? new Map<string, number>()
    for (const { date, quantity } of truth.demand) {
      if (!near(stored.get(date), quantity)) {
        found.push(`${name}: ${date} ${stored.get(date)}, not ${quantity}`)
      }
      stored.delete(date)
    }
    for (const [date, quantity] of stored) found.push(`${name}: ${date} ${quantity}, not 0`)
  }
  for (const name of pairs.keys()) found.push(`${name}: not in the ERP`)
  return found
}
