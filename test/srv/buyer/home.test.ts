// What today needs, as the first page of the app shows it.
import cds from '@sap/cds'
import {
  Exceptions,
  ForecastScores,
  Policies,
  Proposals,
  StockDays,
  Stockouts,
} from '../../../srv/base/database/entities.ts'
import { daysAgo, serverUrl } from '../../support/server.ts'
import { setRate } from '../money/supplier.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { read } from './odata.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

type Users = Record<string, object>
const mocked = () => (cds.env.requires.auth as unknown as { users: Users }).users

let shop: Shop
/** Three pending purchases of S-1: due with 5.00 and 90.00 at risk, and by the day after tomorrow. */
let ids: number[]
beforeAll(async () => {
  shop = await openShop('home', 3)
  ids = [shop.take(), shop.take(), shop.take()]
  await change(0, { valueAtRisk: 5, orderBy: '2020-01-01', value: '100.00' })
  await change(1, { valueAtRisk: 90, orderBy: daysAgo(0), value: '50.50' })
  await change(2, { valueAtRisk: 1, orderBy: daysAgo(-2), value: '7.00' })
  mocked().north = new cds.User({
    ...{ id: 'north', password: 'north', roles: ['Viewer', 'Buyer'] },
    attr: { locations: ['L9'] },
  } as never)
})
afterAll(() => void delete mocked().north)

const change = (at: number, values: object) =>
  UPDATE.entity(Proposals).set(values).where({ ID: ids[at]! })

const home = async (as = 'buyer', headers?: Record<string, string>) =>
  (await read('home()', { as, ...(headers && { headers }) })).json

it('says what is due, in all and by supplier, and what waiting costs', async () => {
  const { due, open, second, dueOrders, moreOrders, user } = await home()
  expect(due).toMatchObject({
    ...{ lines: 2, value: '150.50', currency: 'EUR' },
    ...{ linesText: '2 lines', valueText: '150.50 EUR', riskText: '95.00 EUR' },
  })
  expect(open).toMatchObject({
    ...{ lines: 3, value: '157.50', linesText: '3 lines, 1 of them small' },
  })
  // The start page counts as the list shows them.
  const list = await read("Proposals?$filter=status eq 'pending' and isSmall eq false&$count=true")
  const { pending, due: dueNow, small } = (await read('overview()')).json
  expect({ pending, dueNow, small }).toEqual({
    ...{ pending: list.json['@odata.count'], dueNow: 2, small: 1 },
  })
  expect(second).toMatchObject({ lines: 0, valueText: '' })
  expect(dueOrders).toMatchObject([
    {
      ...{ supplier: 'S-1', dueLines: 2, dueValue: '150.50', text: 'S-1', riskText: '95.00 EUR' },
      href: `#/Suppliers?source=${shop.source}&supplier=S-1&currency=EUR`,
    },
  ])
  expect({ moreOrders, user }).toEqual({ moreOrders: 0, user: 'buyer' })
})

it('tells what is out of stock now from what runs out before an order arrives', async () => {
  await change(0, { urgency: 'stocked_out' })
  await change(1, { urgency: 'stockout_before_arrival' })
  const { out, stockout } = await home()
  expect(out).toMatchObject({ lines: 1, valueText: '100.00 EUR', riskText: '5.00 EUR' })
  expect(stockout).toMatchObject({ lines: 1, valueText: '50.50 EUR' })
})

it('says by which day a supplier’s order must go out, and when it takes orders', async () => {
  await INSERT.into(Policies).entries({ level: 'supplier', supplier: 'S-1', orderDays: [1, 4] })
  const { deadlines } = await home()
  await DELETE.from(Policies).where({ supplier: 'S-1' })
  expect(deadlines).toMatchObject([
    {
      ...{ day: daysAgo(-2), lines: 1, valueText: '7.00 EUR' },
      nextOrderDay: expect.stringMatching(/^\d{4}-/),
    },
  ])
  expect((await home()).deadlines).toMatchObject([{ nextOrderDay: null }])
})

it('adds amounts of two currencies by today’s rates, and leaves them apart without', async () => {
  await change(1, { currency: 'USD' })
  expect((await home()).due).toMatchObject({ value: null, valueText: '100.00 EUR + 50.50 USD' })
  await setRate('USD', 'EUR', '0.5')
  expect((await home()).due).toMatchObject({ value: '125.25', currency: 'EUR' })
  await change(1, { currency: 'EUR' })
})

it('counts open exceptions by kind with their worth', async () => {
  const exception = { source_ID: shop.source, sku: shop.skus[0], location: 'L1', currency: 'EUR' }
  await INSERT.into(Exceptions).entries([
    { ...exception, ID: 900, series: 1, kind: 'expedite', document: 'A', value: 20 },
    { ...exception, ID: 901, series: 1, kind: 'overstock', document: '', value: 80 },
    { ...exception, ID: 902, series: 2, kind: 'expedite', document: 'B', value: 30 },
    { ...exception, ID: 903, series: 3, kind: 'postpone', settledAt: new Date().toISOString() },
  ])
  const { exceptions, exceptionsCount } = await home('buyer', { 'Accept-Language': 'de' })
  await DELETE.from(Exceptions).where({ ID: { between: 900, and: 903 } })
  expect(exceptions).toMatchObject([
    { kind: 'overstock', kindText: 'Überbestand', count: 1, valueText: '80,00 EUR' },
    {
      kind: 'expedite',
      count: 2,
      valueText: '50,00 EUR',
      href: '#/?view=exceptions&kind=expedite',
    },
  ])
  expect(exceptionsCount).toBe(3)
})

it('says what the stock is worth, how often there was any, and how far forecasts are off', async () => {
  const rows = await SELECT.from(Proposals).columns('series').where({ source_ID: shop.source })
  const series = rows[0]!.series!
  await INSERT.into(StockDays).entries(
    [1, 2, 3].map((days) => ({ source_ID: shop.source, day: daysAgo(days), reported: false })),
  )
  await INSERT.into(Stockouts).entries({ series, firstDay: daysAgo(40), lastDay: daysAgo(2) })
  const score = { source_ID: shop.source, kind: 'given', confidence: 'high', cases: 10 }
  await INSERT.into(ForecastScores).entries([
    { ...score, month: '2026-09-01', demandClass: 'smooth', p50: 120, demand: 100 },
    { ...score, month: '2026-09-01', demandClass: 'lumpy', p50: 0, demand: 100 },
    { ...score, month: '2026-05-01', demandClass: 'smooth', p50: 999, demand: 1 },
  ])
  await shop.count(30)
  const { stock, reached, bias, dataAgeDays } = await home()
  // 3 pairs with 30 units at 3.00.
  expect(stock).toMatchObject({ value: '270.00', text: '270.00 EUR' })
  // Of 3 pairs on 4 days, one was empty on 2 of them.
  expect(reached).toMatchObject({ value: '83.33', text: '83.3 %' })
  expect(bias).toMatchObject({ value: '20.00', text: '+20 %' })
  expect(dataAgeDays).toBe(0)
})

it('is no sum of what somebody does not see', async () => {
  const { due, dueOrders, deadlines, stock, reached, bias } = await home('north')
  expect(due).toMatchObject({ lines: 0, valueText: '' })
  expect([dueOrders, deadlines]).toEqual([[], []])
  expect([stock, reached, bias].map(({ value }) => value)).toEqual([null, null, null])
})

describe.each(['due-today', 'exceptions'])('the launchpad’s card %s', (name) => {
  const get = async (file: string) => {
    const answer = await fetch(`${serverUrl()}/apps/buyer/cards/${name}/${file}`)
    expect(answer.status).toBe(200)
    return answer.text()
  }

  it('shows what the service answers, in two languages', async () => {
    const text = await get('manifest.json')
    const { 'sap.card': card } = JSON.parse(text) as { 'sap.card': Card }
    expect(card.data.request.url).toMatch(/\/odata\/v4\/buyer\/home\(\)$/)
    const model = cds.model!.definitions as unknown as Record<string, { elements: Elements }>
    const { elements } = model['BuyerService.Home']!
    const rows = elements[card.content.data.path.slice(1)]!
    const shown = model[rows.items!.type]!.elements
    for (const [, element] of JSON.stringify(card.content.row).matchAll(/"\{(\w+)\}"/g))
      expect(Object.keys(shown)).toContain(element)
    for (const [, element] of text.matchAll(/"\{\/(\w+)/g))
      expect(elements).toHaveProperty(element!)
    const texts = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, key]) => key))
    for (const file of ['i18n/i18n.properties', 'i18n/i18n_de.properties']) {
      const known = (await get(file)).split('\n').map((line) => line.split(' = ')[0])
      expect(known).toEqual(expect.arrayContaining([...texts]))
    }
  })
})

type Elements = Record<string, { items?: { type: string } }>
interface Card {
  data: { request: { url: string } }
  content: { data: { path: string }; row: object }
}
