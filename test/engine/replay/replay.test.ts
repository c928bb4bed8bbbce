import fc from 'fast-check'
import {
  bandsOf,
  countOwn,
  DAYS_BEFORE,
  ownPath,
  type Replay,
  replayProposals,
  replayTogether,
  Shelf,
  Tally,
  wantedDemand,
} from '../../../engine/replay/index.ts'
import type { DemandForecast, SupplierLimits } from '../../../engine/proposal/index.ts'

const units = (...values: number[]) => Float64Array.from(values)
const NOBODY_KNOWS = NaN

describe('the way that stock really went', () => {
  const past = { days: 4, sold: units(2, 2, 2, 2), waits: false }

  it('is counted back from the last stock by receipts and demand', () => {
    const levels = units(NOBODY_KNOWS, NaN, NaN, NaN, 5)
    const path = ownPath({ ...past, levels, receipts: units(0, 0, 6, 0) })!
    expect([...path.net]).toEqual([7, 5, 3, 7, 5])
    expect(path).toMatchObject({ isNamed: false, unexplained: 0 })
  })

  it('says what neither receipts nor demand explain', () => {
    const levels = units(10, NaN, 3, NaN, NaN)
    const path = ownPath({ ...past, levels, receipts: units(0, 0, 0, 0) })!
    expect([...path.net]).toEqual([10, 8, 3, 1, 0])
    expect(path.unexplained).toBe(3 + 1)
  })

  it('takes rises of stock for receipts where none are known, and counts no day of a gap', () => {
    const days = 12
    const levels = new Float64Array(days + 1).fill(NaN)
    levels.set([9, 7, 15])
    levels[12] = 4
    const path = ownPath({
      days,
      sold: new Float64Array(days).fill(2),
      levels,
      receipts: null,
      waits: false,
    })!
    expect(path.arrivals[1]).toBe(10)
    expect([...path.counted]).toEqual([1, 1, ...Array<number>(10).fill(0)])
  })

  it('is not known without receipts and without more than one stock', () => {
    expect(ownPath({ ...past, levels: units(NaN, NaN, NaN, NaN, 5), receipts: null })).toBeNull()
    expect(
      ownPath({ ...past, levels: new Float64Array(5).fill(NaN), receipts: units(0, 0, 0, 0) }),
    ).toBeNull()
  })

  it('counts every unit that is short once, whatever waits', () => {
    const levels = units(3, 0, 0, 0, 4)
    const sold = units(5, 2, 0, 1)
    const path = ownPath({ days: 4, sold, levels, receipts: units(0, 0, 0, 10), waits: true })!
    expect([...path.net].slice(0, 4)).toEqual([3, -2, -4, -4])
    const tally = countOwn(path, sold)
    expect(tally.total('short')).toBe(2 + 2 + 0)
    expect(tally.total('stockoutDays')).toBe(3)
    expect(tally.total('stockouts')).toBe(1)
  })
})

it('the way of stock where demand waits is counted back through empty shelves from the first stock above 0', () => {
  const levels = units(NaN, 0, 0, NaN, 5)
  const past = { days: 4, sold: units(6, 3, 2, 2), levels, receipts: units(0, 0, 18, 0) }
  const path = ownPath({ ...past, waits: true })!
  // Nobody says how much waited on the empty days: 6 of 0 on hand, and 3 more.
  expect([...path.net]).toEqual([0, -6, -9, 7, 5])
  expect(path.unexplained).toBe(0)
  expect(countOwn(path, past.sold).total('short')).toBe(6 + 3)
  // An empty shelf that should have held some is what nothing explains.
  const odd = ownPath({ ...past, receipts: units(0, 0, 2, 0), waits: true })!
  expect(odd.unexplained).toBe(7 + 3)
})

describe('demand of days without stock', () => {
  const days = 28
  const sold = new Float64Array(DAYS_BEFORE + days).map((_, at) => (at % 7 === 0 ? 9 : 3))
  const pathOf = (empty: number[], ranOut: number[]) => {
    const net = new Float64Array(days + 1).fill(50)
    for (const day of [...empty, ...ranOut]) net[day + 1] = 0
    for (const day of empty) net[day] = 0
    return {
      net,
      arrivals: new Float64Array(days),
      counted: new Uint8Array(days).fill(1),
      isNamed: true,
      unexplained: 0,
    }
  }

  it('is that of the same weekday nearby, and never less than was sold', () => {
    const own = sold.slice()
    for (const day of [7, 8, 9]) own[DAYS_BEFORE + day] = 0
    const found = wantedDemand(own, pathOf([7, 8, 9], []), false)
    expect([...found.units.subarray(7, 10)]).toEqual([9, 3, 3])
    expect(found).toMatchObject({ estimated: 15, unknownDays: 0 })
  })

  it('of a day on which the stock ran out is that of a day that sold as much', () => {
    const own = sold.slice()
    own[DAYS_BEFORE + 14] = 5
    const { units: wanted } = wantedDemand(own, pathOf([], [14]), false)
    expect(wanted[14]).toBe(9)
  })

  it('is what was booked where demand waits', () => {
    expect(wantedDemand(sold, pathOf([7, 8], []), true)).toMatchObject({ estimated: 0 })
  })
})

describe('a replay', () => {
  const forecast: DemandForecast = {
    at: (horizon) => ({ p10: horizon, p50: 2 * horizon, p90: 3 * horizon }),
    distribution: (horizon) => ({ p10: horizon, p50: 2 * horizon, p90: 3 * horizon, tail: 1 }),
  }
  const replay = (wanted: Float64Array, waits: boolean) => replayProposals(pair(wanted, waits))
  const pair = (wanted: Float64Array, waits: boolean, net = 20): Replay => ({
    terms: {
      planning: {
        leadTimeDays: 5,
        reviewPeriodDays: 7,
        moq: null,
        lotSize: null,
        supplier: null,
      },
      policy: {
        reviewPeriodDays: 7,
        target: {
          stockoutRate: 0.4,
          carryingRate: 0.25,
          unmetDemand: waits ? 'backordered' : 'lost',
        },
        supplierRequired: false,
      },
      waits,
    },
    wanted,
    counted: new Uint8Array(wanted.length).fill(1),
    start: { day: 0, net, open: [{ placed: -3, arrives: 2, quantity: 4 }] },
    reviews: [0, 7, 14, 21],
    dateOf: (day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    forecastAt: () => forecast,
    leadTimeAt: () => 5,
  })

  it('loses and makes no unit: what came, less what was served, is what is left', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(12), { minLength: 28, maxLength: 28 }),
        fc.boolean(),
        (demand, waits) => {
          const { tally, orders, end } = replay(Float64Array.from(demand), waits)
          const ordered = orders.reduce((sum, { quantity }) => sum + quantity, 0)
          const wanted = demand.reduce((sum, each) => sum + each, 0)
          const left =
            20 + 4 + ordered - end.onOrder - (waits ? wanted : wanted - tally.total('short'))
          expect(Math.max(0, left)).toBeCloseTo(end.onHand, 6)
          expect(tally.total('lines')).toBe(orders.length)
          expect(tally.total('days')).toBe(28)
        },
      ),
    )
  })

  it('orders on its reviews alone', () => {
    const { orders } = replay(new Float64Array(28).fill(3), true)
    expect(orders.every(({ day }) => day % 7 === 0)).toBe(true)
    expect(orders.length).toBeGreaterThan(1)
  })

  describe('of a supplier that asks something of a whole order', () => {
    const pairs = [3, 2, 1].map((daily) => pair(new Float64Array(28).fill(daily), true, 30))
    const byDay = (limits: SupplierLimits | null) => {
      const replayed = replayTogether(pairs, limits)
      const all = replayed.flatMap(({ orders }) => orders)
      return Map.groupBy(all, ({ day }) => day)
    }
    const sums = (limits: SupplierLimits | null) =>
      [...byDay(limits).values()].map((lines) =>
        lines.reduce((sum, { quantity }) => sum + quantity, 0),
      )

    it('sends no order below its minimum, and raises lines for it once one presses', () => {
      const [without, with80] = [sums(null), sums({ minimumQuantity: 80 })]
      expect(without.some((units) => units < 80)).toBe(true)
      expect(with80.length).toBeGreaterThan(0)
      expect(with80.every((units) => units >= 80)).toBe(true)
    })

    it('sends what presses as proposed where the minimum cannot be reached, and says so', () => {
      const unreachable = { minimumQuantity: 10_000, coverDays: 7 }
      const replayed = replayTogether(pairs, unreachable)
      const orders = replayed.flatMap((each) => each.orders)
      expect(orders.length).toBeGreaterThan(0)
      expect(orders.every(({ isBelowMinimum }) => isBelowMinimum)).toBe(true)
      // Nobody goes short for it: each unit that is wanted is there.
      for (const { tally } of replayed) expect(tally.total('short')).toBe(0)
    })

    it('sends nothing below the minimum before anything presses', () => {
      const full = [3, 2, 1].map((daily) => pair(new Float64Array(28).fill(daily), true, 10_000))
      const orders = replayTogether(full, { minimumQuantity: 10_000, coverDays: 7 })
      expect(orders.flatMap((each) => each.orders)).toEqual([])
    })

    it('sends fewer orders where each costs something', () => {
      const unitCost = 5
      const priced = pairs.map((each) => ({
        ...each,
        terms: { ...each.terms, planning: { ...each.terms.planning, unitCost } },
      }))
      const days = (orderCost: number) =>
        new Set(
          replayTogether(priced, { orderCost }).flatMap(({ orders }) =>
            orders.map(({ day }) => day),
          ),
        ).size
      expect(days(50)).toBeLessThan(days(0))
    })

    it('is each pair by itself where nothing is asked', () => {
      expect(replayTogether(pairs, null)).toEqual(pairs.map((each) => replayProposals(each)))
    })
  })
})

describe('a shelf', () => {
  it('serves what waits first of what arrives', () => {
    const shelf = new Shelf(1, true)
    expect(shelf.serve(4)).toBe(3)
    shelf.order(0, 5, 1)
    shelf.receive(1)
    expect({ net: shelf.net, onHand: shelf.onHand, onOrder: shelf.onOrder }).toEqual({
      net: 2,
      onHand: 2,
      onOrder: 0,
    })
  })
})

describe('bands', () => {
  const drawn = (
    pairs: number,
    blocks: number,
    valueOf: (pair: number, block: number) => number,
  ) => ({
    ...{ pairs, blocks, width: 1 },
    values: Float64Array.from({ length: pairs * blocks }, (_, at) =>
      valueOf(Math.floor(at / blocks), at % blocks),
    ),
  })

  it('are no wider than a point where every pair and block is alike, and the same each time', () => {
    const [band] = bandsOf(
      drawn(30, 6, () => 2),
      ([sum]) => [sum!],
    )
    expect(band).toEqual({ value: 360, low: 360, high: 360 })
    const uneven = drawn(30, 6, (pair, block) => (pair * 7 + block * 3) % 11)
    expect(bandsOf(uneven, ([sum]) => [sum!])).toEqual(bandsOf(uneven, ([sum]) => [sum!]))
  })

  it('hold the sum, and are wider where few pairs decide', () => {
    const even = bandsOf(
      drawn(40, 6, (pair) => 1 + (pair % 2)),
      ([sum]) => [sum!],
    )[0]!
    const uneven = bandsOf(
      drawn(40, 6, (pair) => (pair ? 0 : 60)),
      ([sum]) => [sum!],
    )[0]!
    expect(even.low).toBeLessThan(even.value)
    expect(even.high).toBeGreaterThan(even.value)
    expect(uneven.high - uneven.low).toBeGreaterThan(even.high - even.low)
    expect(uneven.low).toBeLessThanOrEqual(0)
  })
})

it('a tally keeps days by blocks of four weeks', () => {
  const tally = new Tally(2)
  tally.add(27, 'lines', 1)
  tally.add(28, 'lines', 2)
  tally.add(70, 'lines', 4)
  expect([tally.of(0, 'lines'), tally.of(1, 'lines'), tally.total('lines')]).toEqual([1, 6, 7])
})
