// What must hold for every proposal, tried on thousands of made-up pairs.
import fc, { setRuns } from '../../support/properties.ts'
import { smallestOrder } from '../../../engine/inventory/limits.ts'
import { demandQuantile } from '../../../engine/inventory/demand.ts'
import { orderableQuantity, propose, riskCurve } from '../../../engine/proposal/index.ts'
import type { ProposalInput } from '../../../engine/proposal/index.ts'
import {
  anyInput,
  calculation,
  customerOrder,
  forecast,
  hundredths,
  quantity,
} from './any-input.ts'

setRuns(500)

/** Days until the supplier takes an order; `asOf` is a Friday. */
function firstOrderDay({ planning }: ProposalInput): number {
  if (!planning.orderDays?.length) return 0
  return Math.min(...planning.orderDays.map((weekday) => (weekday - 5 + 7) % 7))
}

const whole = (units: number, step: number) => Math.abs(units / step - Math.round(units / step))

describe('every proposal', () => {
  it('adds up by hand, every further term included', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        expect(c.horizonDays).toBe(Math.min(90, Math.max(1, c.leadTimeDays + c.reviewPeriodDays)))
        expect(c).toMatchObject(input.forecast.at(c.horizonDays))
        expect(c.targetStock).toBeGreaterThanOrEqual(c.p50)
        if (c.targetQuantile <= 0.9) expect(c.targetStock).toBeLessThanOrEqual(c.p90)
        if (c.targetQuantile >= 0.9) expect(c.targetStock).toBeGreaterThanOrEqual(c.p90)
        const promised = (c.backorders ?? 0) + (c.reserved ?? 0)
        const more = (c.leadTimeSafety ?? 0) + (c.beyondHorizon ?? 0) + promised
        const supply = c.onHand + c.onOrder + (c.inInspection ?? 0) + c.openProposals
        const less = (c.coveredLater ?? 0) + supply
        const net = c.targetStock + more - less
        expect(c.netRequirement).toBeCloseTo(Math.max(0, net), 6)
      }),
    )
  })

  it('uses no further term below 0, and shows none that is 0', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        const { leadTimeSafety, beyondHorizon, coveredLater, onOrderLater } = c
        const { backorders, reserved, inInspection } = c
        const further = [leadTimeSafety, beyondHorizon, coveredLater, onOrderLater]
        for (const term of [...further, backorders, reserved, inInspection])
          if (term !== undefined) expect(term).toBeGreaterThan(0)
      }),
    )
  })

  it('is 0, or whole lots and at least its minimum, and can be ordered', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        if (c.quantity === 0) return
        expect(Number.isSafeInteger(c.quantity)).toBe(true)
        expect(whole(c.quantity, c.lotSize)).toBeLessThan(1e-9)
        expect(c.quantity).toBeGreaterThanOrEqual(c.moq)
        const limits = { moq: c.moq, lotSize: c.lotSize, calculated: c.quantity }
        expect(orderableQuantity(c.quantity, { ...limits, maximum: c.limit })).toEqual({ ok: true })
      }),
    )
  })

  it('covers the largest shortage of all days on which it is there, where the lead time is kept', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        if (c.leadTimeDeviationDays) return
        const { asOf, forecast: demand, position } = input
        const dayOf = (date: string) => (Date.parse(date) - Date.parse(asOf)) / 86_400_000
        const arrivals = (position.receipts ?? [{ date: null, quantity: c.onOrder }]).map(
          ({ date, quantity }) => {
            const day = date === null ? 0 : dayOf(date)
            return { day: day < 0 ? Math.min(7, c.leadTimeDays) : day, quantity }
          },
        )
        arrivals.push({ day: Math.min(7, c.leadTimeDays), quantity: position.inInspection ?? 0 })
        const reservations = position.reservations ?? []
        const overdue = reservations
          .filter(({ date }) => date === null || dayOf(date) <= 0)
          .reduce((sum, { quantity }) => sum + quantity, 0)
        const ordered = (day: number) =>
          [...(position.customerOrders ?? []), ...reservations]
            .filter(({ date }) => date !== null && dayOf(date) > 0 && dayOf(date) < day)
            .reduce((sum, { quantity }) => sum + quantity, 0)
        const beyondForecast = (day: number) => {
          let most = 0
          for (let until = 1; until <= day; until++)
            most = Math.max(most, ordered(until) - demandQuantile(demand, until, 0.5))
          return most + (position.reserved ?? 0) + overdue
        }
        const protection = Math.max(1, c.leadTimeDays + c.reviewPeriodDays)
        const target = (day: number) => demandQuantile(demand, day, c.targetQuantile)
        const shortBefore = (day: number) =>
          arrivals.reduce(
            (short, one) => (one.day <= 0 || one.day < day ? short - one.quantity : short),
            Math.min(target(day), target(protection)) +
              beyondForecast(day) -
              (c.onHand - (c.backorders ?? 0)),
          )
        let largest = shortBefore(protection)
        const first = firstOrderDay(input) + c.leadTimeDays
        for (let day = first + 1; day < protection; day++)
          largest = Math.max(largest, shortBefore(day))
        expect(c.netRequirement).toBeCloseTo(Math.max(0, largest - c.openProposals), 5)
      }),
    )
  })

  it('covers the net requirement, or says which limit keeps it from doing so', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        const codes = c.exceptions?.map(({ code }) => code) ?? []
        if (c.quantity >= c.netRequirement) {
          expect(codes.filter((code) => code.startsWith('capped'))).toEqual([])
        } else if (c.quantity === 0) {
          if (c.targetQuantile === 0.5 && !codes.includes('capped_below_moq')) return
          expect(codes).toContain('capped_below_moq')
          expect(c.limit).toBeLessThan(Math.max(smallestOrder(c), c.netRequirement))
        } else {
          expect(codes).toContain('capped_below_need')
          expect(c.drivers.some((driver) => driver.endsWith('_cap'))).toBe(true)
        }
      }),
    )
  })

  it('keeps to every limit', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        if (c.quantity === 0) return
        const { maximumOrder, maximumStock, shelfLifeDays } = input.planning
        const supply = c.onHand + c.onOrder + (c.inInspection ?? 0) + c.openProposals
        const position = supply - (c.backorders ?? 0) - (c.reserved ?? 0)
        const after = position + (c.onOrderLater ?? 0) + c.quantity
        expect(c.quantity).toBeLessThanOrEqual(maximumOrder ?? Infinity)
        expect(after).toBeLessThanOrEqual((maximumStock ?? Infinity) + 1e-6)
        if (shelfLifeDays === 0) expect(c.quantity).toBeLessThanOrEqual(Math.max(0, -position))
      }),
    )
  })

  it('needs no less with one more customer order, and no more than the order asks for', () => {
    fc.assert(
      fc.property(anyInput, customerOrder, (input, order) => {
        const before = calculation(input)
        const customerOrders = [...(input.position.customerOrders ?? []), order]
        const after = calculation({ ...input, position: { ...input.position, customerOrders } })
        const more = after.netRequirement - before.netRequirement
        expect(more).toBeGreaterThanOrEqual(-1e-6)
        expect(more).toBeLessThanOrEqual(order.quantity + 1e-6)
      }),
    )
  })

  it('never grows with more stock', () => {
    fc.assert(
      fc.property(anyInput, hundredths(500), (input, more) => {
        const onHand = (input.position.onHand ?? 0) + more
        const richer = { ...input, position: { ...input.position, onHand } }
        expect(quantity(richer)).toBeLessThanOrEqual(quantity(input))
      }),
    )
  })

  it('never shrinks with a higher target quantile', () => {
    const level = fc.double({ min: 0.4, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyInput, level, level, (input, one, other) => {
        const at = (value: number) =>
          quantity({ ...input, policy: { ...input.policy, target: { quantile: value } } })
        expect(at(Math.max(one, other))).toBeGreaterThanOrEqual(at(Math.min(one, other)))
      }),
    )
  })

  it('never asks for less where the lead time is less certain, at the same service target', () => {
    const days = fc.integer({ min: 0, max: 40 })
    const target = fc.record({ quantile: fc.double({ min: 0.4, max: 1, noNaN: true }) })
    fc.assert(
      fc.property(anyInput, target, days, days, (input, fixed, one, other) => {
        const policy = { ...input.policy, target: fixed }
        const at = (leadTimeDeviationDays: number) =>
          calculation({ ...input, policy, planning: { ...input.planning, leadTimeDeviationDays } })
        const [less, more] = [at(Math.min(one, other)), at(Math.max(one, other))]
        expect(more.leadTimeSafety ?? 0).toBeGreaterThanOrEqual(less.leadTimeSafety ?? 0)
        expect(more.netRequirement).toBeGreaterThanOrEqual(less.netRequirement)
      }),
    )
  })

  it('never shrinks with more demand', () => {
    fc.assert(
      fc.property(anyInput, hundredths(100), hundredths(100), (input, rate, more) => {
        const at = (perDay: number) => quantity({ ...input, forecast: forecast(perDay, 1) })
        const { shelfLifeDays, maximumStock } = input.planning
        // What the forecast does not expect leaves room below a maximum stock.
        const { customerOrders, reservations } = input.position
        const isLimited = maximumStock != null && (customerOrders ?? reservations) != null
        if (shelfLifeDays != null || isLimited) return
        expect(at(rate + more)).toBeGreaterThanOrEqual(at(rate))
      }),
    )
  })

  it('is ordered no earlier than today, on an order day, and while the service target holds', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = propose(input)
        if (result.kind !== 'order') return
        const orderBy = result.orderBy!
        expect(orderBy >= input.asOf).toBe(true)
        const { orderDays } = input.planning
        const weekday = new Date(orderBy).getUTCDay() || 7
        if (orderDays?.length) expect(orderDays).toContain(weekday)
        const { receipts, customerOrders, reservations, inInspection } = input.position
        const isDated = receipts ?? customerOrders ?? reservations
        if (orderDays?.length || isDated || inInspection) return
        const wait = (Date.parse(orderBy) - Date.parse(input.asOf)) / 86_400_000
        const until = result.calculation.leadTimeDays + wait
        if (wait === 0 || until > 90) return
        const { onHand, onOrder, targetQuantile } = result.calculation
        const { backorders = 0, reserved = 0 } = result.calculation
        const target = demandQuantile(input.forecast, until, targetQuantile)
        expect(target).toBeLessThanOrEqual(onHand + onOrder - backorders - reserved)
      }),
    )
  })

  it('is due at least, but for what an uncertain lead time adds', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = propose(input)
        if (result.kind !== 'order' || result.calculation.leadTimeSafety) return
        expect(result.urgency).not.toBe('ahead')
      }),
    )
  })

  it('is the same after a recent order, or waits where tomorrow is early enough', () => {
    const ago = fc.integer({ min: 0, max: 70 })
    fc.assert(
      fc.property(anyInput, ago, (input, days) => {
        const [result, after] = [propose(input), propose({ ...input, daysSinceOrder: days })]
        if (result.kind !== 'order') return
        const { reviewPeriodDays } = result.calculation
        if (after.kind === 'order') expect(after).toEqual(result)
        else {
          expect(days).toBeLessThan(reviewPeriodDays)
          expect(after).toMatchObject({ kind: 'none', calculation: { quantity: 0 } })
          const { openProposals } = input.position
          if (result.urgency !== 'stocked_out' && !input.planning.orderDays && !openProposals)
            expect(result.orderBy! > input.asOf).toBe(true)
        }
      }),
    )
  })

  it('says its numbers in its rationale', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = propose(input)
        if (result.kind !== 'order') return
        const { p50, onHand, leadTimeDays, horizonDays } = result.calculation
        expect(result.rationale).toContain(`(P50) is ${p50} over the next ${horizonDays} day`)
        expect(result.rationale).toContain(`${onHand} on hand`)
        expect(result.rationale).toContain(`lead time ${leadTimeDays} day`)
        expect(result.rationale.length).toBeLessThan(600)
      }),
    )
  })

  it('is the same for the same input', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(JSON.stringify(propose(input))).toBe(JSON.stringify(propose(structured(input))))
      }),
    )
  })
})

/** The same input, other objects, receipts in another order. */
function structured(input: typeof anyInput extends fc.Arbitrary<infer T> ? T : never) {
  const receipts = input.position.receipts && [...input.position.receipts].reverse()
  return {
    ...input,
    position: { ...input.position, receipts },
    planning: { ...input.planning },
  }
}

describe('the risk of a quantity', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 2, maxLength: 8 })

  it('never grows with the quantity, and supply never lasts shorter', () => {
    fc.assert(
      fc.property(anyInput, amounts, (input, some) => {
        const curve = riskCurve(
          input,
          some.toSorted((a, b) => a - b),
        )
        curve.slice(1).forEach((more, i) => {
          const less = curve[i]!
          expect(more.stockoutProbability).toBeLessThanOrEqual(less.stockoutProbability)
          expect((more.stockoutDay ?? '9') >= (less.stockoutDay ?? '9')).toBe(true)
          expect(more.daysOfSupplyP50).toBeGreaterThanOrEqual(less.daysOfSupplyP50)
          expect(more.daysOfSupplyP90).toBeGreaterThanOrEqual(less.daysOfSupplyP90)
        })
      }),
    )
  })

  it('is a probability, and supply lasts no longer where demand is high', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 0, max: 5000 }), (input, amount) => {
        for (const risk of riskCurve(input, [amount])) {
          expect(risk.stockoutProbability).toBeGreaterThanOrEqual(0)
          expect(risk.stockoutProbability).toBeLessThanOrEqual(1)
          expect(risk.daysOfSupplyP90).toBeLessThanOrEqual(risk.daysOfSupplyP50)
        }
      }),
    )
  })
})
