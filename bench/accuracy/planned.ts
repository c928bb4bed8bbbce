// node bench/accuracy/planned.ts [every]: pasta with and without plan.csv, through the service: files, syncs, /v1.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import axios from 'axios'
import { readHistoryFile } from '../../cli/history-file.ts'
import { historyOf } from '../../cli/offline/histories.ts'
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import { addCase, emptyScores } from '../../engine/forecast/scores.ts'
import { type DemandHistory, type EpochDay, toDate } from '../../engine/index.ts'
import { findFreePort } from '../support/environment.ts'
import { start, waitUntil } from '../sync/processes.ts'
import { SETS } from './sets.ts'

const HORIZONS = [7, 28, 90]
const ORIGINS = 4
const [every = '1'] = process.argv.slice(2)
const { file, step, cases } = SETS.find(({ name }) => name === 'pasta')!
const read = await readHistoryFile(path.resolve(import.meta.dirname, '../../data/source', file))
const series = read.pairs
  .map(({ sku }, pair) => ({ sku, history: historyOf(read.histories, pair) }))
  .filter((_, i) => i % Number(every) === 0)
const end = series.reduce((latest, { history }) => Math.max(latest, history.days.at(-1)! + 1), 0)
const origins = Array.from({ length: ORIGINS }, (_, i) => end - 90 - i * step)

interface Answer {
  results: { forecast?: { as_of: string; forecast: { p10: number; p50: number; p90: number } } }[]
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-planned-'))
const port = await findFreePort()
const keyFile = path.resolve(import.meta.dirname, `../../.restock/key-${port}`)
const service = start('node_modules/@sap/cds/bin/serve.js', [], {
  ...{ PORT: String(port), CDS_TYPESCRIPT: 'true', RESTOCK_RATE_LIMIT: 'off' },
  RESTOCK_CSV_ROOT: folder,
  CDS_REQUIRES_DB_CREDENTIALS_URL: path.join(folder, 'restock.sqlite'),
  CDS_CONFIG: JSON.stringify({ restock: { demo: 'key' } }),
})
try {
  const key = await waitUntil(async () => (await readFile(keyFile, 'utf8')).trim() || undefined, 60)
  const api = axios.create({
    baseURL: `http://localhost:${port}/v1`,
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  })
  /** By series and horizon, of all origins: the scaled losses without and with a plan. */
  const losses = series.map(() => HORIZONS.map(() => ({ without: 0, planned: 0 })))
  for (const origin of origins)
    for (const kind of ['without', 'planned'] as const) {
      const location = `${kind}-${toDate(origin)}`
      await syncFiles(location, origin, kind === 'planned')
      for (const [h, horizon] of HORIZONS.entries())
        (await lossesOf(location, origin, horizon)).forEach((loss, i) => {
          losses[i]![h]![kind] += loss
        })
    }
  HORIZONS.forEach((horizon, h) =>
    show(
      horizon,
      losses.map((each) => each[h]!),
    ),
  )

  async function syncFiles(account: string, origin: EpochDay, isPlanned: boolean) {
    mkdirSync(path.join(folder, account))
    writeFileSync(path.join(folder, account, 'demand.csv'), demandFile(account, origin))
    if (isPlanned) writeFileSync(path.join(folder, account, 'plan.csv'), planFile(origin))
    const { data: source } = await api.post<{ id: string }>('/sources', {
      ...{ type: 'csv', account, role: 'reader' },
    })
    const { data: begun } = await api.post<{ id: string }>(`/sources/${source.id}/sync`, {
      mode: 'full',
    })
    await waitUntil(async () => {
      const { data } = await api.get<{ status: string }>(`/syncs/${begun.id}`)
      return ['succeeded', 'partial', 'failed'].includes(data.status) ? data : undefined
    }, 600)
  }

  /** Of each series; nothing for one that the protocol does not score on that day. */
  async function lossesOf(location: string, origin: EpochDay, horizon: number) {
    const items = series.map(({ sku }) => ({ sku, location }))
    const { data } = await api.post<Answer>('/forecasts/batch', { items, horizon })
    return data.results.map(({ forecast }, i) => {
      const { history } = series[i]!
      const scale = scaleOf(history, origin, cases)
      if (scale === null) return 0
      if (forecast?.as_of !== toDate(origin)) throw new Error(`as of ${forecast?.as_of}`)
      const scores = emptyScores()
      const demand = demandBetween(history, origin, origin + horizon)
      addCase(scores, demand, forecast.forecast, scale, horizon)
      return scores.scaledLoss
    })
  }
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
  rmSync(keyFile, { force: true })
}

function demandFile(location: string, origin: EpochDay): string {
  const rows = series.flatMap(({ sku, history: { days, quantities, promo } }) =>
    Array.from(days).flatMap((day, i) =>
      day < origin ? `${sku},${location},${toDate(day)},${quantities[i]},${promo![i]}` : [],
    ),
  )
  return ['sku,location,date,quantity,promo', ...rows].join('\n')
}

function planFile(origin: EpochDay): string {
  const rows = series.flatMap(({ sku, history }) =>
    promotionsFrom(history, origin).map(([from, to]) =>
      [sku, toDate(from), toDate(to), 'promotion'].join(),
    ),
  )
  return ['sku,from,to,kind', ...rows].join('\n')
}

function promotionsFrom({ days, promo }: DemandHistory, origin: EpochDay) {
  const spells: [EpochDay, EpochDay][] = []
  days.forEach((day, i) => {
    if (day < origin || !promo?.[i]) return
    const last = spells.at(-1)
    if (last?.[1] === day - 1) last[1] = day
    else spells.push([day, day])
  })
  return spells
}

/** The share of the loss that a plan takes off, with the standard error over series. */
function show(horizon: number, losses: { without: number; planned: number }[]) {
  const sum = (of: (each: (typeof losses)[number]) => number) =>
    losses.reduce((total, each) => total + of(each), 0)
  const without = sum((each) => each.without)
  const ratio = sum((each) => each.planned) / without
  const error = Math.sqrt(sum((each) => (each.planned - ratio * each.without) ** 2)) / without
  const percent = (share: number) => (100 * share).toFixed(1)
  console.log(`${horizon} days: ${percent(ratio - 1)} % loss, standard error ${percent(error)}`)
}
