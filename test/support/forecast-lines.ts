// Forecasts of the service, and what `restock predict` makes of the same files, as the lines that it prints.
import { join } from 'node:path'
import cds from '@sap/cds'
import { parseModel, predictUntil, toEpochDay } from '../../engine/index.ts'
import { Forecasts, PairForecasts, Series } from '../../srv/base/database/entities.ts'
import { restock } from '../cli/run.ts'
import { daysAgo } from './server.ts'

const { SELECT } = cds.ql

/** By `sku,location`. */
export async function modelsOf(source: number) {
  const series = await SELECT.from(Series).where({ source_ID: source })
  const rows = await SELECT.from(Forecasts).where({ series: { in: series.map(({ ID }) => ID) } })
  const byID = new Map(rows.map((row) => [row.series, row]))
  return new Map(
    series.map(({ ID, sku, location }) => [`${sku},${location}`, byID.get(ID)!] as const),
  )
}

/** By `sku,location,horizon`. */
export async function linesOf(source: number): Promise<Map<string, string>> {
  const lines = new Map<string, string>()
  for (const row of await SELECT.from(PairForecasts).where({ source_ID: source })) {
    const [model, end] = [parseModel(row.model!), row.phaseOutOn]
    for (const horizon of [7, 28, 90]) {
      const found = predictUntil(model, horizon, end ? toEpochDay(end) : null)
      const { p10, p50, p90, confidence, drivers } = found
      const line = [p10, p50, p90, confidence, drivers.join(';')].join()
      lines.set(`${row.sku},${row.location},${horizon}`, line)
    }
  }
  return lines
}

/**
 * The same of the files of a csv account, offline.
 * @param files other files by their options
 * @param notes what is told of them
 */
export async function predicted(
  account: string,
  files: [option: string, name: string][],
  notes = '',
) {
  const path = (name: string) => join(process.env.RESTOCK_CSV_ROOT!, account, name)
  const { stdout, stderr } = await restock([
    ...['predict', '--history', path('demand.csv'), '--as-of', daysAgo(0)],
    ...files.flatMap(([option, name]) => [option, path(name)]),
  ])
  expect(stderr).toBe(notes)
  const rows = stdout.trimEnd().split('\n').slice(1)
  return new Map(
    rows.map((row) => {
      const [sku, location, horizon, ...rest] = row.split(',')
      return [`${sku},${location},${horizon}`, rest.join()]
    }),
  )
}
