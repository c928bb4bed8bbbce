// Conversions of units are read once a sync, whichever streams want them.
import { System } from '../../../adapters/s4hana/system.ts'
import { readConversions } from '../../../adapters/s4hana/units.ts'
import type { Erp } from '../../../sandbox/index.ts'
import { adapter, connectionTo, startSmallErp } from './support.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startSmallErp({ size: 60, days: 30 })
})
afterAll(() => erp.close())
beforeEach(() => erp.control.clearLog())

const never = new AbortController().signal
const rows = () => erp.control.traffic().A_ProductUnitsOfMeasure?.rows ?? 0
const wanted = () =>
  [...new Set([...erp.truth({ demand: false })].map(({ sku }) => sku))].map((sku) => ({
    ...{ sku, unit: 'PC' },
  }))

it('those that others have asked for are not asked for again, nor while they are read', async () => {
  const system = new System(connectionTo(erp))
  const all = wanted()
  const read = (some = all) => readConversions(system, some, never)
  const [one, other] = await Promise.all([read(), read(all.slice(5))])
  const first = rows()
  expect(first).toBeGreaterThan(10)
  const again = await read(all.slice(0, 9))
  expect(rows()).toBe(first)
  for (const of of all.slice(5, 9))
    for (const each of [other, again]) expect(each(of)).toEqual(one(of))
  await readConversions(new System(connectionTo(erp)), all, never)
  expect(rows()).toBe(2 * first)
})

it('are asked for again where the stream that asked for them has ended', async () => {
  const system = new System(connectionTo(erp))
  const ended = new AbortController()
  erp.control.fault({ kind: 'slow', delayMs: 100, match: 'A_ProductUnitsOfMeasure' })
  const lost = readConversions(system, wanted(), ended.signal)
  const found = readConversions(system, wanted(), never)
  ended.abort(new Error('ended'))
  await expect(lost).rejects.toThrow('ended')
  const conversionOf = await found
  expect(wanted().filter((of) => conversionOf(of)).length).toBeGreaterThan(10)
})

it('by all streams of a sync together no row comes twice', async () => {
  const streams = adapter.streams(connectionTo(erp, { purchase_orders: 'v2' }))
  const read = async (stream: (typeof streams)[number]) => {
    for await (const page of stream.read(null, never)) expect(page).toBeDefined()
  }
  await Promise.all(streams.map(read))
  const asked = erp.log.filter(({ set }) => set === 'A_ProductUnitsOfMeasure')
  expect(asked.length).toBeGreaterThan(0)
  expect(rows()).toBeLessThanOrEqual(60 * 3)
})
