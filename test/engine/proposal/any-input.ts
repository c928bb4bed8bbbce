// Made-up pairs for the laws that every proposal keeps to.
import fc from '../../support/properties.ts'
import { propose } from '../../../engine/proposal/index.ts'
import type {
  Calculation,
  CustomerOrder,
  DemandForecast,
  ProposalInput,
  Receipt,
  Weekday,
} from '../../../engine/proposal/index.ts'
import { demandFrom } from '../inventory/normal.ts'
import { normalQuantile } from '../../../engine/forecast/numeric/normal.ts'

export const hundredths = (max: number) =>
  fc.integer({ min: 0, max: max * 100 }).map((n) => n / 100)

/** Normal quantiles that rise with horizon and level; `spread`: standard deviation of a day over its mean. */
export function forecast(rate: number, spread: number): DemandForecast {
  const quantile = (days: number, level: number) =>
    Math.round(Math.max(0, rate * (days + normalQuantile(level) * spread * Math.sqrt(days))))
  return demandFrom((days) => ({
    p10: quantile(days, 0.1),
    p50: quantile(days, 0.5),
    p90: quantile(days, 0.9),
    tail: 1,
  }))
}

const demand = fc
  .record({ rate: hundredths(200), spread: fc.double({ min: 0, max: 3, noNaN: true }) })
  .map(({ rate, spread }) => forecast(rate, spread))

/** Most absent, as in most pairs. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(null, undefined) }, { weight: 1, arbitrary })

const dateWithin = (range: { min: number; max: number }) =>
  fc.option(
    fc
      .integer(range)
      .map((day) => new Date(Date.UTC(2026, 1, 27) + day * 86_400_000).toISOString().slice(0, 10)),
  )

const receipt: fc.Arbitrary<Receipt> = fc.record({
  date: dateWithin({ min: -20, max: 200 }),
  quantity: hundredths(400),
})

export const customerOrder: fc.Arbitrary<CustomerOrder> = fc.record({
  date: dateWithin({ min: -20, max: 120 }),
  quantity: hundredths(900),
})

const orderDays = fc.subarray<Weekday>([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })

export const anyInput: fc.Arbitrary<ProposalInput> = fc.record({
  asOf: fc.constant('2026-02-27'),
  forecast: demand,
  position: fc.record({
    onHand: fc.oneof(hundredths(3000), fc.integer({ min: -50, max: 3000 })),
    onOrder: hundredths(1000),
    openProposals: fc.integer({ min: 0, max: 500 }),
    backorders: seldom(fc.integer({ min: 0, max: 300 })),
    receipts: seldom(fc.array(receipt, { maxLength: 5 })),
    customerOrders: seldom(fc.array(customerOrder, { maxLength: 5 })),
    reservations: seldom(fc.array(customerOrder, { maxLength: 3 })),
    reserved: seldom(fc.integer({ min: 0, max: 100 })),
    inInspection: seldom(hundredths(200)),
  }),
  planning: fc.record({
    leadTimeDays: fc.integer({ min: 0, max: 150 }),
    reviewPeriodDays: fc.option(fc.integer({ min: 1, max: 60 })),
    moq: fc.option(fc.oneof(fc.integer({ min: 0, max: 500 }), hundredths(100))),
    lotSize: fc.option(fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(0.5, 2.5, 1.2))),
    supplier: fc.constant(null),
    leadTimeDeviationDays: seldom(fc.integer({ min: 0, max: 30 })),
    maximumOrder: seldom(fc.integer({ min: 0, max: 3000 })),
    maximumStock: seldom(fc.integer({ min: 0, max: 6000 })),
    shelfLifeDays: seldom(fc.integer({ min: 0, max: 120 })),
    orderDays: seldom(orderDays),
    unitCost: fc.option(hundredths(100)),
  }),
  policy: fc.record({
    reviewPeriodDays: fc.integer({ min: 1, max: 30 }),
    target: fc.oneof(
      fc.record({ quantile: fc.double({ min: 0.01, max: 0.99, noNaN: true }) }),
      fc.record({ stockoutRate: hundredths(2), carryingRate: hundredths(2) }),
    ),
    supplierRequired: fc.constant(false),
  }),
})

export function calculation(input: ProposalInput): Calculation {
  const result = propose(input)
  if (result.kind === 'blocked') throw new Error('blocked')
  return result.calculation
}

export const quantity = (input: ProposalInput) => calculation(input).quantity
