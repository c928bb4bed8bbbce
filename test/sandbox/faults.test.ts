import { startErp } from '../../sandbox/index.ts'
import { until } from '../support/service.ts'
import { follow, get, rowsOf } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'

let erp: Erp
beforeEach(async () => {
  erp = await startErp({ size: 300, days: 60, now: '2026-11-20T08:30:00Z', defaultPage: 200 })
})
afterEach(() => erp.close())

const PRODUCTS = 'API_PRODUCT_SRV/A_Product'
const status = (path = PRODUCTS) => get(erp, path).then((response) => response.status)

it('meets the matching requests only, after some, and as often as said', async () => {
  erp.control.fault({ match: 'A_Plant', kind: 'status', status: 503, skip: 1, times: 2 })
  const plants = 'API_PLANT_SRV/A_Plant'
  expect(await status()).toBe(200)
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await status(plants))
  expect(answers).toEqual([200, 503, 503, 200, 200])
  erp.control.fault({ match: 'A_Plant', kind: 'status', every: 3 })
  const later = []
  for (let i = 0; i < 6; i++) later.push(await status(plants))
  expect(later).toEqual([200, 200, 503, 200, 200, 503])
})

it('tears the connection in mid-body', async () => {
  erp.control.fault({ kind: 'reset' })
  const response = await get(erp, PRODUCTS)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(await status()).toBe(200)
})

it('cuts the JSON without an error of the connection', async () => {
  erp.control.fault({ kind: 'truncate' })
  const text = await (await get(erp, PRODUCTS)).text()
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})

it('shows a logon page, redirects and drops', async () => {
  erp.control.fault({ kind: 'html' })
  const page = await get(erp, PRODUCTS)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8'])
  erp.control.fault({ kind: 'redirect', to: 'http://localhost:9/login' })
  const moved = await get(erp, PRODUCTS)
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://localhost:9/login'])
  erp.control.fault({ kind: 'drop' })
  await expect(get(erp, PRODUCTS)).rejects.toThrow()
})

it('repeats a page once', async () => {
  erp.control.fault({ match: 'skiptoken', kind: 'repeat' })
  const seen: unknown[] = []
  for await (const { Product } of follow(erp, PRODUCTS)) seen.push(Product)
  expect(new Set(seen).size).toBe(300)
  expect(seen).toHaveLength(500)
})

it('links to the same page, and to another origin', async () => {
  const link = async () => {
    const { d } = (await (await get(erp, PRODUCTS)).json()) as { d: { __next: string } }
    return d.__next
  }
  erp.control.fault({ kind: 'loop' })
  expect(await link()).toBe(`${erp.url}/sap/opu/odata/sap/${PRODUCTS}`)
  erp.control.fault({ kind: 'foreign', to: 'http://evil.example' })
  expect(await link()).toMatch(/^http:\/\/evil\.example\/sap\/opu\//)
})

it('refuses what is too much at once, with each way to say when to come back', async () => {
  const hold = async () => {
    erp.control.fault({ kind: 'hang' })
    const before = erp.log.length
    get(erp, PRODUCTS).catch(() => {})
    await until(async () => erp.log.length > before)
  }
  const wait = async (retryAfter: 'none' | 'seconds' | 'date') => {
    erp.control.set({ throttle: { concurrent: 2, retryAfter, seconds: 3 } })
    const answer = await get(erp, PRODUCTS)
    expect(answer.status).toBe(429)
    return answer.headers.get('retry-after')
  }
  erp.control.set({ throttle: { concurrent: 2 } })
  await hold()
  expect(await status()).toBe(200)
  await hold()
  expect(await wait('none')).toBeNull()
  expect(await wait('seconds')).toBe('3')
  expect(await wait('date')).toMatch(/GMT$/)
  erp.control.set({ throttle: { perSecond: 0, status: 503 } })
  expect(await status()).toBe(503)
})

it('forbids services, and its clock is its own', async () => {
  erp.control.set({ forbidden: ['API_PLANT_SRV'], clockSkewSeconds: 120 })
  expect(await status('API_PLANT_SRV/A_Plant')).toBe(403)
  const date = Date.parse((await get(erp, PRODUCTS)).headers.get('date')!)
  const expected = Date.parse('2026-11-20T08:32:00Z')
  expect(Math.abs(date - expected)).toBeLessThan(60_000)
})

it('goes away and comes back at the same address', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const back = erp.control.restart(promise)
  await expect(get(erp, PRODUCTS)).rejects.toThrow()
  resolve()
  await back
  expect(await rowsOf(erp, `${PRODUCTS}?$top=1`)).toHaveLength(1)
})

it('does all of this for scripts, too', async () => {
  const post = (body: object) =>
    fetch(`${erp.url}/__control`, { method: 'POST', body: JSON.stringify(body) })
  const answer = await post({
    fault: { kind: 'status', status: 500 },
    set: { v4: false },
    advance: 1,
  })
  expect(await answer.json()).toMatchObject({
    counts: { today: '2026-11-21' },
    behaviour: { v4: false },
  })
  expect(await status()).toBe(500)
  const log = (await (await fetch(`${erp.url}/__control/log`)).json()) as object[]
  expect(log).toMatchObject([{ method: 'GET', status: 500, fault: 'status' }])
  const truth = await (await fetch(`${erp.url}/__control/truth?demand=false`)).text()
  expect(truth.trim().split('\n')).toHaveLength(erp.control.counts().pairs - vanished(erp))
  expect((await post({ change: [{ kind: 'vanish', sku: 'nothing' }] })).status).toBe(400)
})

const vanished = ({ control, truth }: Erp) =>
  control.counts().pairs - [...truth({ demand: false })].length
