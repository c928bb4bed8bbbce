// Whether planners knew better: what forecasts and overrides said, against what was then wanted.
import cds from '@sap/cds'
import { ForecastOverrideCases, ForecastOverrides } from '../../../srv/base/database/entities.ts'
import { loadOverrides } from '../../../srv/domain/forecasts/index.ts'
import { findOverride, listOverrides } from '../../../srv/domain/plans/index.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { del, get, post } from '../v1/api.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C']
let source: number

beforeAll(async () => {
  source = await connectFiles('value-added', {
    'demand.csv': steadyDemand(SKUS, { quantity: 10, days: 200 }),
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,20`).join('\n')}\n`,
  })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
})

const casesOf = (ID: number) =>
  SELECT.from(ForecastOverrideCases).where({ override: ID }).orderBy('series')

const numberOf = ({ id }: { id: string }) => Number(id.slice('ovr_'.length))

/** Enters one of three weeks, waits until it is kept, and lets its days be over. */
async function passed(override: object) {
  const given = { to: daysAgo(-20), reason: 'x', ...override }
  const { json } = await post('/forecast-overrides', given)
  const ID = numberOf(json)
  await until(async () => (await casesOf(ID)).length > 0)
  const kept = await casesOf(ID)
  const days = { firstDay: daysAgo(30), lastDay: daysAgo(10) }
  await UPDATE.entity(ForecastOverrides).set(days).where({ ID })
  await UPDATE.entity(ForecastOverrideCases).set(days).where({ override: ID })
  return { ID, id: json.id, kept }
}

describe('an override whose days are over', () => {
  it('is compared with the forecast that it was made against', async () => {
    const good = await passed({ sku: 'A', percent: 10 })
    const bad = await passed({ sku: 'B', units: 420 })
    expect(good.kept).toMatchObject([{ firstDay: daysAgo(0), lastDay: daysAgo(-20), demand: null }])
    expect(good.kept[0]!.adjusted! / good.kept[0]!.statistical!).toBeCloseTo(1.1)
    expect(bad.kept[0]!.adjusted).toBeCloseTo(420)
    expect((await get(`/forecast-overrides/${good.id}`)).json.value_added).toBeNull()
    await UPDATE.entity(ForecastOverrideCases)
      .set({ statistical: 180 })
      .where({ override: good.ID })
    await sync(source, 'full')
    const off = Math.round(Math.abs(210 - good.kept[0]!.adjusted!) * 10) / 10
    expect((await get(`/forecast-overrides/${good.id}`)).json.value_added).toMatchObject({
      ...{ pairs: 1, demand: 210, statistical: 180, error_statistical: 30, error_adjusted: off },
    })
    const { json } = await get('/forecast-overrides?sku=B')
    expect(json.data[0]!.value_added).toMatchObject({ adjusted: 420, error_adjusted: 210 })
    const scored = await casesOf(bad.ID)
    await sync(source, 'full')
    expect(await casesOf(bad.ID)).toEqual(scored)
  })

  it('says nothing of pairs for which another one counted', async () => {
    const { json: own } = await post('/forecast-overrides', {
      ...{ sku: 'C', to: daysAgo(-9), percent: 0, reason: 'x' },
    })
    const all = await passed({ percent: 20 })
    expect(all.kept).toHaveLength(2)
    await cds.ql.DELETE.from(ForecastOverrides).where({ ID: numberOf(own) })
    await sync(source, 'full')
    const { json } = await get(`/forecast-overrides/${all.id}`)
    expect(json.value_added).toMatchObject({ pairs: 2, demand: 420 })
    const seenAt = async (...locations: string[]) => {
      const user = new cds.User({ id: 'lia', roles: [], attr: { locations } as never })
      return cds.tx({ user }, async () => {
        const found = await findOverride(all.ID)
        const { data } = await listOverrides({ limit: 10 })
        expect(data).toContainEqual(found)
        return found.valueAdded
      })
    }
    expect(await seenAt('L1')).toMatchObject({ pairs: 2, demand: 420 })
    expect(await seenAt('L2')).toBeNull()
  })
})

it('an override that is removed before its end leaves nothing to measure', async () => {
  const { json } = await post('/forecast-overrides', { to: daysAgo(-9), percent: 9, reason: 'x' })
  await until(async () => (await casesOf(numberOf(json))).length > 0)
  await del(`/forecast-overrides/${json.id}`)
  expect(await casesOf(numberOf(json))).toEqual([])
})

it('a number that concerns none of the pairs in question is not summed up for them', async () => {
  const common = { to: daysAgo(-20), reason: 'x', units: 10 }
  const { json: elsewhere } = await post('/forecast-overrides', { ...common, location: 'L2' })
  const { json: other } = await post('/forecast-overrides', { ...common, group: 'TOYS' })
  const { json: own } = await post('/forecast-overrides', { ...common, location: 'L1' })
  const summed: number[] = []
  await loadOverrides([{ sku: 'A', location: 'L1', group: 'TOOLS' }], ({ ID }) => {
    summed.push(ID)
    return Promise.resolve({ units: 1, pairs: 1 })
  })
  expect(summed).toContain(numberOf(own))
  expect(summed).not.toContain(numberOf(elsewhere))
  expect(summed).not.toContain(numberOf(other))
})
