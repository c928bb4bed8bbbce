// A run that another instance goes on with in a later phase: what is done is not done again, and the result is the same.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Forecasts, Learnt, Proposals, Series, Syncs } from '../../../srv/base/database/entities.ts'
import { startSync, syncWorker } from '../../../srv/domain/sync/index.ts'
import { connectFiles, daysAgo, finished, sync } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

/** Forecast by the 256. */
const SKUS = 600
const DAYS = 60
/** Of different levels, with weekdays and gaps. */
function demand() {
  const lines = ['sku,location,date,quantity']
  for (let sku = 0; sku < SKUS; sku++)
    for (let day = DAYS; day > 0; day--) {
      const quantity = (sku * 7 + day * day) % (3 + (sku % 11))
      if (quantity) lines.push(`S${sku},L1,${daysAgo(day)},${quantity}`)
    }
  return lines.join('\n')
}
const stock = () =>
  ['sku,location,on_hand', ...Array.from({ length: SKUS }, (_, i) => `S${i},L1,1`)].join('\n')
const planning = () =>
  [
    'sku,location,lead_time_days,moq,lot_size',
    ...Array.from({ length: SKUS }, (_, i) => `S${i},L1,7,1,1`),
  ].join('\n')
const files = () => ({ 'demand.csv': demand(), 'stock.csv': stock(), 'planning.csv': planning() })

const forecastsOf = async (source: number) => {
  const series = await SELECT.from(Series).columns('ID', 'sku').where({ source_ID: source })
  const skuOf = new Map(series.map(({ ID, sku }) => [ID, sku!]))
  const rows = await SELECT.from(Forecasts).where({ series: { in: [...skuOf.keys()] } })
  return new Map(rows.map(({ series: ID, ...row }) => [skuOf.get(ID)!, row]))
}
const modelsOf = async (source: number) =>
  [...(await forecastsOf(source))]
    .map(([sku, { asOf, model }]) => ({ sku, asOf, model }))
    .sort(bySku)
const bySku = (a: { sku: string }, b: { sku: string }) => (a.sku < b.sku ? -1 : 1)
const proposalsOf = async (source: number) =>
  (
    await SELECT.from(Proposals).columns('sku', 'quantity', 'status').where({ source_ID: source })
  ).sort(bySku as never)
const learntOf = async (source: number) =>
  (await SELECT.one.from(Learnt).where({ source_ID: source }))!

it('forecasts what is left, by what it has learnt before, and gives what an undisturbed run gives', async () => {
  const whole = await connectFiles('undisturbed', files())
  expect(await sync(whole, 'full')).toMatchObject({ status: 'succeeded' })
  const expected = { models: await modelsOf(whole), proposals: await proposalsOf(whole) }
  expect(expected.models).toHaveLength(SKUS)
  expect(expected.proposals.length).toBeGreaterThan(SKUS / 2)

  // The newest source leads.
  const source = await connectFiles('taken-over', files())
  const { ID } = await startSync({ source, mode: 'full' })
  const stateOf = async () => (await SELECT.one.from(Syncs).where({ ID }))!
  for (;;) {
    const { phase, done, status } = await stateOf()
    if (status !== 'queued' && phase === 'forecasting' && Number(done) > 0) break
    expect(['queued', 'running']).toContain(status)
    await sleep(5)
  }
  const later = new Date(Date.now() + 60_000).toISOString()
  await UPDATE.entity(Syncs).set({ owner: 'another', leaseUntil: later, turn: 2 }).where({ ID })
  while ((await stateOf()).leaseUntil === null) await sleep(5)
  await sleep(4_000)
  const before = await forecastsOf(source)
  const { rowsRead, startedAt } = await stateOf()
  expect(before.size).toBeGreaterThan(0)
  expect(before.size).toBeLessThan(SKUS)
  const { calibration } = await learntOf(source)

  await UPDATE.entity(Syncs).set({ leaseUntil: null }).where({ ID })
  await syncWorker.wake()
  expect(await finished(ID)).toMatchObject({ status: 'succeeded', rowsRead })
  expect((await stateOf()).startedAt).toEqual(startedAt)
  expect((await learntOf(source)).calibration).toEqual(calibration)
  const after = await forecastsOf(source)
  for (const [sku, { generatedAt }] of before)
    expect(after.get(sku)!.generatedAt).toEqual(generatedAt)
  expect(await modelsOf(source)).toEqual(expected.models)
  expect(await proposalsOf(source)).toEqual(expected.proposals)
})
