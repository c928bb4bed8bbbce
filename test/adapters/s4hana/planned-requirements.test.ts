// Planned independent requirements, the ERP's own forecast, and the countries of plants: optional parts of a source.
import { neededRightsOf } from '../../../adapters/s4hana/auth.ts'
import { toErpForecast } from '../../../adapters/s4hana/to-erp-forecast.ts'
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import { adapter, connectionTo, pagesOf, startSmallErp, streamOf } from './support.ts'

let erp: Erp
let pair: { sku: string; location: string }
let other: { sku: string; location: string }
beforeAll(async () => {
  erp = await startSmallErp({ size: 10, days: 5 })
  const pairs = [...erp.truth({ demand: false })] as PairTruth[]
  const placeOf = ({ sku, location }: PairTruth) => ({ sku, location })
  pair = placeOf(pairs[0]!)
  other = placeOf(pairs.find(({ sku }) => sku !== pair.sku)!)
})
afterAll(() => erp.close())

const plan = (from: string, quantity: number | null, more: object = {}): Change => ({
  ...{ kind: 'planRequirement', ...pair, from, quantity, ...more },
})

/** The records of a read, and its last cursor. */
async function read(since: string | null = null) {
  const pages = await pagesOf(streamOf(connectionTo(erp, { page_size: 2 }), 'erpForecasts'), since)
  return { records: pages.flatMap(({ records }) => records), cursor: pages.at(-1)!.cursor }
}
const itemRequests = () => erp.log.filter(({ path }) => path.endsWith('RqmtItem')).length

it('are read as sums of what is active for periods ahead, and later as far as they have changed', async () => {
  expect((await read()).records).toEqual([])
  erp.control.change([
    plan('2026-11-02', 999), // has begun
    plan('2026-12-01', 40.5),
    plan('2026-12-01', 9.5, { requirementPlan: 'EXPORT' }),
    plan('2026-12-01', 700, { version: '01', isActive: false }),
    plan('2027-01-04', 60),
    plan('2027-09-01', 80), // is read when it comes nearer
    plan('2026-12-07', 12, { ...other, period: 'W' }),
    plan('2026-12-09', 3, { ...other, period: 'D' }),
    plan('2026-12-14', 5, { ...other, period: 'T' }), // of a planning calendar
  ])
  const december = { firstDay: '2026-12-01', lastDay: '2026-12-31' }
  const january = { firstDay: '2027-01-01', lastDay: '2027-01-31', quantity: 60 }
  const whole = await read()
  const byKey = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  expect(whole.records.sort(byKey)).toEqual(
    [
      { ...pair, ...december, quantity: 50 },
      { ...pair, ...january },
      { ...other, firstDay: '2026-12-07', lastDay: '2026-12-13', quantity: 12 },
      { ...other, firstDay: '2026-12-09', lastDay: '2026-12-09', quantity: 3 },
    ].sort(byKey),
  )
  // Changes have a day and no time: those of the day of the last read are read once more.
  erp.control.advance(3)
  const { cursor } = await read(whole.cursor)
  expect((await read(cursor)).records).toEqual([])
  // All of the product is read, since its requirements add up.
  erp.control.change([plan('2026-12-01', 45)])
  expect((await read(cursor)).records).toEqual([
    { ...pair, ...december, quantity: 54.5 },
    { ...pair, ...january },
  ])
})

it('are asked for in few requests where nothing has changed', async () => {
  const { cursor } = await read()
  erp.control.advance(3)
  const { cursor: next } = await read(cursor)
  erp.control.clearLog()
  expect((await read(next)).records).toEqual([])
  expect(itemRequests()).toBeLessThanOrEqual(2)
})

it('have the days of their month, week or day, whatever its first working day is', () => {
  const row = {
    ...{ Product: 'P', Plant: '1010', MRPArea: '1010', PlndIndepRqmtType: 'VSF' },
    ...{ PlndIndepRqmtVersion: '00', RequirementPlan: '', RequirementSegment: '' },
    ...{ PlannedQuantity: '5.000', WorkingDayDate: '/Date(1803859200000)/' }, // 1 March 2027, a Monday
  }
  const periodOf = (PeriodType: string) => toErpForecast({ ...row, PeriodType })
  const day = '2027-03-01'
  expect(toErpForecast({ ...row, PeriodType: 'M', WorkingDayDate: day })).toMatchObject({
    ...{ firstDay: '2027-03-01', lastDay: '2027-03-31' },
  })
  expect(toErpForecast({ ...row, PeriodType: 'W', WorkingDayDate: '2027-03-02' })).toMatchObject({
    ...{ firstDay: '2027-03-01', lastDay: '2027-03-07' },
  })
  expect(periodOf('D')).toMatchObject({ firstDay: day, lastDay: day })
  expect(periodOf('P')).toBeNull()
  expect(() => toErpForecast({ ...row, PeriodType: 'D', WorkingDayDate: null })).toThrow('missing')
  expect(() => toErpForecast({ ...row, PeriodType: 'D', PlannedQuantity: '-1' })).toThrow(
    'negative',
  )
})

it('need a right only where somebody wants them, and say what is missing where they may not be read', async () => {
  const rights = (options: object) =>
    neededRightsOf(connectionTo(erp, { auth: 'authorization_code', ...options })).join()
  expect(rights({})).not.toMatch(/INDEP|COMPANYCODE/)
  const all = rights({ planned_requirements: true, countries: true })
  expect(all).toContain('API_PLND_INDEP_RQMT_SRV_0001')
  expect(all).toContain('API_COMPANYCODE_SRV_0001')
  const streams = adapter.streams(connectionTo(erp, { planned_requirements: false }))
  expect(streams.map(({ record }) => record)).not.toContain('erpForecasts')
  const stream = streamOf(connectionTo(erp), 'erpForecasts')
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  erp.control.set({ forbidden: ['API_PLND_INDEP_RQMT_SRV'] })
  await expect(pagesOf(stream)).rejects.toMatchObject({
    ...{ code: 'forbidden', message: expect.stringContaining('planned_requirements=false') },
  })
  erp.control.set({ forbidden: [] })
})

it('plants have the country of their company code, or none where it may not be read', async () => {
  const countries = async (options: Record<string, unknown> = {}) => {
    const pages = await pagesOf(streamOf(connectionTo(erp, options), 'locations'))
    return new Set(pages.flatMap(({ records }) => records.map(({ country }) => country)))
  }
  expect(await countries()).toEqual(new Set(['DE']))
  expect(await countries({ countries: false })).toEqual(new Set([undefined]))
  for (const service of ['API_COMPANYCODE_SRV']) erp.control.set({ forbidden: [service] })
  expect(await countries()).toEqual(new Set([undefined]))
  erp.control.set({ forbidden: [] })
})
