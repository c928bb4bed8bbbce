// Demand from outbound deliveries: what is taken back or gone vanishes, and is forecast again.
import cds from '@sap/cds'
import { PairForecasts } from '../../../srv/base/database/entities.ts'
import { type Erp, type PairTruth, startErp, type TruthOptions } from '../../../sandbox/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

const { SELECT } = cds.ql
const SALES: TruthOptions = { basis: 'deliveries', classes: ['sale'] }

let erp: Erp
let source: number
beforeEach(async () => {
  erp = await startErp({ size: 60, days: 120 })
  source = (await connect(erp, 'basic', { demand: 'deliveries' })).source
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
})
afterEach(() => leave(erp))

const daysOf = () =>
  new Map(
    [...erp.truth(SALES)].map(({ sku, location, demand }: PairTruth) => [
      `${sku} ${location}`,
      new Set(demand.map(({ date }) => date)),
    ]),
  )

const forecasts = async (): Promise<Map<string, string>> => {
  const rows = await SELECT.from(PairForecasts).where({ source_ID: source })
  return new Map(rows.map((row) => [`${row.sku} ${row.location}`, row.generatedAt!]))
}

it('equals the ERP in full', async () => {
  expect(await differences(source, erp, SALES)).toEqual([])
})

it('follows goods issues that are taken back days and weeks later', async () => {
  let deleted = 0
  for (const days of [1, 9, 36]) {
    const before = { days: daysOf(), forecasts: await forecasts() }
    erp.control.advance(days)
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'succeeded', issues: [] })
    deleted += result.deleted!
    expect(await differencesButVanished(source, erp, SALES)).toEqual([])
    const now = { days: daysOf(), forecasts: await forecasts() }
    for (const [pair, dates] of before.days) {
      const left = now.days.get(pair)
      if (!left || [...dates].every((date) => left.has(date))) continue
      expect(now.forecasts.get(pair)).not.toBe(before.forecasts.get(pair))
    }
  }
  expect(deleted).toBeGreaterThan(0)
  await sync(source, 'full')
  expect(await differences(source, erp, SALES)).toEqual([])
})

it('deletes nothing that is delivered still', async () => {
  const result = await sync(source)
  expect(result).toMatchObject({ status: 'succeeded', upserted: 0, deleted: 0 })
  expect(await differences(source, erp, SALES)).toEqual([])
})
