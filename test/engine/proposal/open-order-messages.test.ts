import { openOrderMessages, type Receipt } from '../../../engine/proposal/index.ts'
import { demandFrom } from '../inventory/normal.ts'
import { input, steadyDemand } from './input.ts'

const slow = demandFrom((days) => ({ p10: 0, p50: 0.05 * days, p90: 0.25 * days, tail: 1 }))

const messagesOf = (receipts: Receipt[], onHand = 0) =>
  openOrderMessages(input({ forecast: slow, position: { onHand, receipts } }), 0.5)

const kindsOf = (receipts: Receipt[], onHand = 0) =>
  messagesOf(receipts, onHand).map(({ kind, document }) => [kind, document])

const sooner = { date: '2026-11-30', quantity: 6, document: 'A' }
const later = { date: '2026-12-09', quantity: 6, document: 'B' }

it('an order that should come sooner is not put off', () => {
  expect(kindsOf([sooner])).toEqual([['expedite', 'A']])
  expect(kindsOf([sooner, later])).toEqual([
    ['expedite', 'A'],
    ['cancel_order', 'B'],
  ])
})

it('one without a date should come sooner than a lead time after it was ordered', () => {
  const undated = { ...sooner, date: null, orderedOn: '2026-11-19' }
  expect(messagesOf([undated])).toMatchObject([
    { kind: 'expedite', from: null, message: expect.stringContaining('Order A, without a date, ') },
  ])
  expect(kindsOf([{ ...undated, orderedOn: null }])).not.toContainEqual(['expedite', 'A'])
})

it('one that is not wanted yet is', () => {
  expect(kindsOf([sooner], 6)).toEqual([['cancel_order', 'A']])
})

it('one that was due long ago is told, and not called for', () => {
  expect(kindsOf([{ ...sooner, date: '2025-01-31' }])).toEqual([['overdue_order', 'A']])
})

it('stock that customers have ordered ahead is not too much', () => {
  const stock = (quantity: number) => {
    const customerOrders = [{ date: '2026-12-09', quantity }]
    const position = { onHand: 400, receipts: [], customerOrders }
    return openOrderMessages(input({ forecast: slow, position }), 0.5)
  }
  const [all] = stock(0)
  expect(all).toMatchObject({
    kind: 'overstock',
    message: expect.stringContaining('of 400 on hand'),
  })
  const [rest] = stock(200)
  expect(rest!.quantity).toBeGreaterThan(all!.quantity - 201)
  expect(rest!.quantity).toBeLessThan(all!.quantity - 190)
  expect(stock(400)).toEqual([])
})

describe('an order that is called for', () => {
  const of = (onHand: number, receipts: [day: string, quantity: number][]) => {
    const position = {
      ...{ onHand, onOrder: 0 },
      receipts: receipts.map(([date, quantity], at) => ({ date, quantity, document: `P${at}` })),
    }
    return openOrderMessages(input({ forecast: steadyDemand(10, 0), position }), 0.5)
      .filter(({ kind }) => kind === 'expedite')
      .map(({ document, quantity, to }) => [document, quantity, to])
  }

  it('is wanted with what is missing until it comes', () => {
    expect(of(20, [['2026-11-23', 150]])).toEqual([['P0', 10, '2026-11-22']])
    expect(of(20, [['2026-12-20', 150]])).toEqual([['P0', 120, '2026-11-22']])
  })

  it('is not wanted on the day on which it comes', () => {
    expect(of(0, [['2026-11-21', 150]])).toEqual([])
    expect(of(0, [['2026-11-22', 150]])).toEqual([['P0', 20, '2026-11-21']])
  })

  it('is one of several with what those before it leave missing', () => {
    expect(
      of(20, [
        ['2026-11-23', 30],
        ['2026-11-28', 150],
      ]),
    ).toEqual([
      ['P0', 10, '2026-11-22'],
      ['P1', 30, '2026-11-25'],
    ])
  })
})
