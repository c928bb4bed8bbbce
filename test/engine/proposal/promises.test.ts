// What suppliers make of orders, and what it costs by the expected shortage.
import { openOrderMessages, type Receipt } from '../../../engine/proposal/index.ts'
import { demandFrom } from '../inventory/normal.ts'
import { input } from './input.ts'

const steady = demandFrom((days) => ({ p10: 4 * days, p50: 4 * days, p90: 4 * days, tail: 1 }))
const KINDS = ['slipped_order', 'short_confirmation', 'unconfirmed_order']

function told(receipt: Receipt, onHand = 20, confirmedWithinDays = 5) {
  const of = input({ forecast: steady, position: { onHand, receipts: [receipt] } })
  const costs = { stockoutRate: 0.4, carryingRate: 0.25 }
  const found = openOrderMessages(
    {
      ...of,
      planning: { ...of.planning, unitCost: 2.5 },
      policy: { ...of.policy, costs, confirmedWithinDays },
    },
    0.9,
  )
  return found.filter(({ kind }) => KINDS.includes(kind))
}

const { asOf } = input()
const dayFrom = (days: number) =>
  new Date(Date.parse(asOf) + days * 86_400_000).toISOString().slice(0, 10)

it('a slip costs what is short meanwhile, and nothing where stock lasts', () => {
  const slip = { date: dayFrom(8), countedOn: dayFrom(5), quantity: 100, document: 'P/1' }
  expect(told(slip)).toMatchObject([
    { kind: 'slipped_order', from: dayFrom(8), to: dayFrom(5), quantity: 100 },
  ])
  // 4 a day for three days beyond the 20 that last five.
  expect(told(slip)[0]!.valueAtRisk).toBeCloseTo(12 * 2.5 * 0.4, 0)
  expect(told(slip, 1_000)).toEqual([])
  const long = { ...slip, date: dayFrom(9) }
  expect(told(long, 1_000)).toMatchObject([{ kind: 'slipped_order', valueAtRisk: 0 }])
  expect(told({ ...slip, date: dayFrom(4) })).toEqual([])
})

it('what is overdue is told as that alone', () => {
  const slip = { date: dayFrom(-1), countedOn: dayFrom(-9), quantity: 100, unconfirmed: 5 }
  expect(told(slip)).toEqual([])
})

it('silence is told after its days, and never where they are 0', () => {
  const open = {
    date: dayFrom(5),
    orderedOn: dayFrom(-5),
    quantity: 100,
    isConfirmed: false as const,
  }
  expect(told(open)).toMatchObject([{ kind: 'unconfirmed_order', to: dayFrom(-5) }])
  expect(told({ ...open, orderedOn: dayFrom(-4) })).toEqual([])
  expect(told(open, 20, 0)).toEqual([])
  const { isConfirmed: _, ...confirmed } = open
  expect(told(confirmed)).toEqual([])
})

it('of a short confirmation the rest alone is at risk', () => {
  const short = { date: dayFrom(5), quantity: 60, unconfirmed: 40 }
  expect(told(short)).toMatchObject([{ kind: 'short_confirmation', quantity: 40 }])
})
