// Public holidays of a country: set over /v1, learnt by the next forecasts, told as lines of the calendar.
import { join } from 'node:path'
import cds from '@sap/cds'
import { publicHolidays } from '../../../holidays/public-holidays.ts'
import { AuditLog, PlannedEvents, Syncs } from '../../../srv/base/database/entities.ts'
import { restockHere } from '../../cli/run.ts'
import { noise } from '../../engine/forecast/demand.ts'
import { until } from '../../support/service.ts'
import { connectFiles, daysAgo, sync, writeFiles } from '../../support/server.ts'
import { aKey, call, del, errorOf, get } from './api.ts'

const { SELECT } = cds.ql

const SKUS = Array.from({ length: 3 }, (_, i) => `H${i}`)
const thisYear = Number(daysAgo(0).slice(0, 4))
/** There is one within any 90 days. */
const holidays = await publicHolidays(
  { country: 'IT' },
  { first: thisYear - 3, last: thisYear + 1 },
)
const isHoliday = new Set(holidays.map(({ date }) => date))
const coming = holidays.filter(({ date }) => date >= daysAgo(0) && date < daysAgo(-90))

/** L1 keeps holidays, L2 does not. */
function demandFile() {
  const rows = SKUS.flatMap((sku, at) => {
    const random = noise(at + 1)
    return Array.from({ length: 800 }, (_, i) => daysAgo(800 - i)).flatMap((day) => {
      const quantity = Math.round(20 + 10 * random())
      const own = isHoliday.has(day) ? [] : [`${sku},L1,${day},${quantity}`]
      return [...own, `${sku},L2,${day},${quantity}`]
    })
  })
  return `sku,location,date,quantity\n${rows.join('\n')}\n`
}

const put = (body: unknown) => call('PUT', '/holiday-calendars', { body })

async function holidayAmount(location: string): Promise<number | undefined> {
  const { json } = await get(
    `/forecasts?sku=H1&location=${location}&horizon=90&include_drivers=true`,
  )
  return json.driver_amounts.find(({ driver }) => driver === 'holiday')?.amount
}

describe('public holidays of a country', () => {
  let source: number
  beforeAll(async () => {
    source = await connectFiles('holidays', { 'demand.csv': demandFile() })
    await sync(source, 'full')
  })

  it('say nothing until a country is named, and must be those of one', async () => {
    expect(await holidayAmount('L1')).toBeUndefined()
    expect((await get('/holiday-calendars')).json.data).toEqual([])
    const refused = { status: 400, code: 'invalid_parameter' }
    expect(errorOf(await put({ country: 'XX' }))).toEqual({ ...refused, target: 'country' })
    expect(errorOf(await put({ country: 'Italy' }))).toEqual({ ...refused, target: 'country' })
    const part = { country: 'DE', region: 'ZZ' }
    expect(errorOf(await put(part))).toEqual({ ...refused, target: 'region' })
    expect(errorOf(await del('/holiday-calendars?location=L1')).code).toBe('not_found')
    const key = await aKey({ scopes: ['forecasts:read', 'keys:manage'] })
    expect(errorOf(await get('/holiday-calendars', { key })).code).toBe('insufficient_scope')
  })

  it('do what they did before, where they did anything, once one is named', async () => {
    const { status, json } = await put({ country: 'it' })
    expect({ status, json }).toMatchObject({
      ...{
        status: 200,
        json: { location: null, country: 'IT', region: null, concerns: 2 * SKUS.length },
      },
    })
    await until(async () => ((await holidayAmount('L1')) ?? 0) < 0)
    expect(await holidayAmount('L1')).toBeLessThan(-15 * coming.length)
    expect(await holidayAmount('L2')).toBeUndefined()
    const [entry] = await SELECT.from(AuditLog).where({ action: 'holidays.set' })
    expect(JSON.parse(entry!.detail!)).toEqual({
      ...{ before: null, after: { country: 'IT', region: null } },
    })
  })

  it('forecast as offline', async () => {
    const history = join(process.env.RESTOCK_CSV_ROOT!, 'holidays', 'demand.csv')
    const args = ['--as-of', daysAgo(0), '--horizons', '90']
    const offline = await restockHere(['predict', '--history', history, ...args, '--country', 'IT'])
    expect(offline.stderr).toBe('')
    const [, ...lines] = offline.stdout.trimEnd().split('\n')
    const items = lines.map((line) => line.split(',')).map(([sku, location]) => ({ sku, location }))
    const { json } = await call('POST', '/forecasts/batch', { body: { items, horizon: 90 } })
    const online = json.results.map((result) => {
      if (result.status === 'error') return result.error
      const { p10, p50, p90 } = result.forecast.forecast
      return [p10, p50, p90]
    })
    expect(online).toEqual(lines.map((line) => line.split(',').slice(3, 6).map(Number)))
    const wrong = await restockHere(['predict', '--history', history, ...args, '--country', 'XX'])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--country') })
  })

  it('are lines of the calendar that nobody enters or removes', async () => {
    const query = `location=L1&kind=holiday&not_before=${daysAgo(0)}&limit=200`
    const { json } = await get(`/planned-events?${query}`)
    const lines = json.data as { id: string; from: string; origin: string; factor: number }[]
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ origin: 'holiday', from: coming[0]!.date, to: coming[0]!.date, factor: 0 },
        ...{ name: coming[0]!.name, source_id: `src_${source}`, changed_by: null },
      }),
    )
    expect((await del(`/planned-events/${lines[0]!.id}`)).status).toBe(404)
    const before = await SELECT.from(PlannedEvents).orderBy('ID')
    await sync(source, 'full')
    expect(await SELECT.from(PlannedEvents).orderBy('ID')).toEqual(before)
  })

  it('give way to what the calendar says of the day itself', async () => {
    const learnt = await holidayAmount('L1')
    for (const { date } of coming)
      await call('POST', '/planned-events', {
        body: { kind: 'holiday', location: 'L1', from: date, factor: 1 },
      })
    await until(async () => (await holidayAmount('L1')) === undefined)
    const entered = await get('/planned-events?location=L1&kind=holiday&limit=200')
    for (const { id, origin } of entered.json.data)
      if (origin === 'calendar') expect((await del(`/planned-events/${id}`)).status).toBe(204)
    await until(async () => (await holidayAmount('L1')) === learnt)
  })

  it('are none where a location has none, or its country is removed', async () => {
    await put({ location: 'L1', country: null })
    await until(async () => (await holidayAmount('L1')) === undefined)
    const { json } = await get('/holiday-calendars')
    expect(json.data).toMatchObject([
      { location: null, country: 'IT' },
      { location: 'L1', country: null },
    ])
    expect((await del('/holiday-calendars?location=L1')).status).toBe(204)
    await until(async () => ((await holidayAmount('L1')) ?? 0) < 0)
    expect((await del('/holiday-calendars')).status).toBe(204)
    await until(async () => (await holidayAmount('L1')) === undefined)
    expect(await SELECT.from(PlannedEvents).where({ origin: 'holiday' })).toEqual([])
  })

  it('are those of the country that a source tells, and a note where there is no such country', async () => {
    const told = (country: string) => `location,country,region\nL1,${country},\nL2,XX,\n`
    // The change before is forecast by a sync, and proposed after that.
    const unfinished = { source_ID: source, status: { in: ['queued', 'running'] } }
    await until(async () => !(await SELECT.one.from(Syncs).where(unfinished)))
    await writeFiles('holidays', {
      'locations.csv': told('IT'),
      'closures.csv': 'supplier,location,country,from\nS1,,UK,\n,L1,GB,\n,L7,,2027-12-24\n',
    })
    const { notes } = await sync(source, 'full')
    expect(await holidayAmount('L1')).toBeLessThan(0)
    expect(notes).toMatchObject([
      { code: 'unknown_country', stream: 'locations', key: 'L2' },
      {
        ...{ code: 'unknown_country', stream: 'closures', key: 'S1' },
        message: expect.stringMatching(/^Closures of supplier S1 in UK: the country must be/),
      },
      {
        ...{ code: 'closure_of_unknown', stream: 'closures', key: 'S1' },
        message: 'No other list names the supplier S1: its closures close nothing.',
      },
      { code: 'closure_of_unknown', key: 'L7', impact: expect.stringContaining('as if nobody') },
    ])
    await writeFiles('holidays', { 'locations.csv': 'location\n', 'closures.csv': 'from\n' })
  })
})
