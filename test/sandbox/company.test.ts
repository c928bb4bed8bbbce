import { makeCompany } from '../../sandbox/company/make-company.ts'
import { truthOf } from '../../sandbox/company/truth.ts'

const NOW = '2026-11-20T06:00:00Z'

it('is the same for the same seed', () => {
  const [one, other] = [1, 1].map(() => truthOf(makeCompany({ size: 60, days: 90, now: NOW })))
  expect(one).toEqual(other)
  expect(one!.demand.length).toBeGreaterThan(500)
  expect(one!.openOrders.length).toBeGreaterThan(5)
  expect(one!.customerOrders.length).toBeGreaterThan(2)
})

it('says what has come of a sale, its return, a receipt and a deletion', () => {
  const company = makeCompany({ size: 60, days: 30, now: NOW })
  const order = company.orders.find(({ status, lines }) => status === 'open' && lines.length === 1)!
  const [line] = order.lines
  const { pair } = line!
  const before = pair.onHand
  const missing = line!.quantity - line!.received
  const sale = company.sell(pair, 5)
  company.clock.advance(1)
  company.takeBack(pair, 2, sale)
  company.receive(order, line!, missing)
  const { stock, openOrders, demand } = truthOf(company)
  const isPair = (row: { sku: string; location: string }) =>
    row.sku === pair.item.code && row.location === pair.location.code
  expect(stock.find(isPair)!.onHand).toBe(before - 3 + missing)
  expect(openOrders.some(({ document }) => document === order.number)).toBe(false)
  expect(demand.find((row) => isPair(row) && row.date === '2026-11-20')!.quantity).toBe(3)
  company.deleteItem(pair.item)
  expect(truthOf(company).stock.some(isPair)).toBe(false)
})

it('finds the first movement of a time', () => {
  const { ledger, clock } = makeCompany({ size: 60, days: 30, now: NOW })
  const first = ledger.firstAt(clock.now() - 7 * 86_400_000)
  expect(ledger.movement(first).at).toBeGreaterThanOrEqual(clock.now() - 7 * 86_400_000)
  expect(ledger.movement(first - 1).at).toBeLessThan(clock.now() - 7 * 86_400_000)
  expect(ledger.firstAt(clock.now())).toBe(ledger.size + 1)
})
