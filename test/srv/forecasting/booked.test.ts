// Spare parts whose sales are booked at the end of each month, and a shop that sells by day.
import cds from '@sap/cds'
import {
  Forecasts,
  Proposals,
  Series,
  Sources,
  Syncs,
} from '../../../srv/base/database/entities.ts'
import { parseModel, predictDemand } from '../../../engine/index.ts'
import { connectFiles, daysAgo, sync } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const PARTS = Number(process.env.PARTS ?? 40)
const TODAY = daysAgo(0)

/** The last days of the last months that are over. */
const monthEnds = (count: number) => {
  const [year, month] = TODAY.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - i, 0)).toISOString().slice(0, 10),
  ).reverse()
}

const booked = (part: number) =>
  monthEnds(24).map((date, i) => {
    const usual = 3 + (part % 40)
    return `part-${part},DEPOT,${date},${usual + ((part * 7 + i * 13) % (1 + Math.floor(usual / 2)))}`
  })

const parts = Array.from({ length: PARTS }, (_, i) => i)
const demand = `sku,location,date,quantity\n${parts.flatMap(booked).join('\n')}\n`
const each = (row: (sku: string) => string) => parts.map((i) => row(`part-${i}`)).join('\n')
const files = {
  'demand.csv': demand,
  'stock.csv': `sku,location,on_hand\n${each((sku) => `${sku},DEPOT,0`)}\n`,
  'planning.csv': `sku,location,lead_time_days,review_period_days\n${each((sku) => `${sku},DEPOT,14,7`)}\n`,
}

async function modelsOf(source: number) {
  const series = await SELECT.from(Series).columns('ID').where({ source_ID: source })
  const rows = await SELECT.from(Forecasts).where({ series: { in: series.map(({ ID }) => ID) } })
  return rows.map(({ model }) => parseModel(model!))
}

describe('parts that are booked by the month', () => {
  let source: number
  let ended: Awaited<ReturnType<typeof sync>>
  beforeAll(async () => {
    source = await connectFiles('booked', files)
    ended = await sync(source)
  })

  it('are all proposed where their shelf is empty', async () => {
    const rows = await SELECT.from(Proposals)
      .columns('sku', 'quantity')
      .where({ source_ID: source, status: 'pending' })
    expect(rows).toHaveLength(PARTS)
    for (const { quantity } of rows) expect(Number(quantity)).toBeGreaterThan(0)
  })

  it('are forecast from today on, a week being its part of the month', async () => {
    const models = await modelsOf(source)
    expect(models).toHaveLength(PARTS)
    const sum = (horizon: number) =>
      models.reduce((all, model) => all + predictDemand(model, horizon).p50, 0)
    expect(sum(7) / sum(30) / (7 / 30)).toBeGreaterThan(0.9)
    expect(sum(7) / sum(30) / (7 / 30)).toBeLessThan(1.1)
    expect(new Set(models.map(({ asOf }) => asOf))).toEqual(
      new Set([Date.parse(TODAY) / 86_400_000]),
    )
  })

  it('are told of by the sync, which has succeeded', async () => {
    expect(ended.status).toBe('succeeded')
    const row = await SELECT.one.from(Syncs).where({ source_ID: source }).orderBy('ID desc')
    expect(JSON.parse(row!.notes!)).toEqual([
      expect.objectContaining({
        code: 'demand_booked_monthly',
        message: expect.stringContaining('at its end at DEPOT') as string,
      }),
    ])
  })

  it('are sales of these very days where the connection says so', async () => {
    await UPDATE.entity(Sources).set({ options: '{"booking":"daily"}' }).where({ ID: source })
    await sync(source, 'full')
    const models = await modelsOf(source)
    const asked = models.filter((model) => predictDemand(model, 7).p50 > 0)
    expect(asked.length).toBeLessThan(0.1 * PARTS)
    const row = await SELECT.one.from(Syncs).where({ source_ID: source }).orderBy('ID desc')
    expect(JSON.parse(row!.notes!)).toEqual([])
  })
})
