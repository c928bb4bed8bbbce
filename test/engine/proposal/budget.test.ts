import fc from 'fast-check'
import { fillBudget } from '../../../engine/proposal/index.ts'
import type { BudgetLine } from '../../../engine/proposal/budget.ts'

const line = (sku: string, quantity: number, unitCost: number, valueAtRisk: number, lots = {}) => ({
  ...{ sku, quantity, unitCost, valueAtRisk, moq: 1, lotSize: 1 },
  ...lots,
})

// Cost of waiting per euro: B 40/50 = .8, A 30/60 = .5, C 8/40 = .2, D below 0. Per unit: B 8, A 3, C .4.
const A = line('A', 10, 6, 30)
const B = line('B', 5, 10, 40)
const C = line('C', 20, 2, 8)
const D = line('D', 4, 10, -2)
const LINES = [A, B, C, D]

const parts = (lines: (typeof A)[], money: number | null, units: number | null = null) =>
  fillBudget(lines, { money, units }).taken.map(({ line, quantity }) => [line.sku, quantity])

describe('a budget', () => {
  it('pays what protects most for its money, and a part of what does not fit', () => {
    // B whole leaves 50: 8 of A for 48, 30 · 8/10 = 24 at risk; the last 2 pay one of C.
    expect(fillBudget(LINES, { money: 100, units: null })).toEqual({
      taken: [
        { line: B, quantity: 5, value: 50, valueAtRisk: 40, rest: 0 },
        { line: A, quantity: 8, value: 48, valueAtRisk: 24, rest: 12 },
        { line: C, quantity: 1, value: 2, valueAtRisk: 0.4, rest: 38 },
      ],
      value: 100,
      units: 14,
      left: { money: 0, units: null },
      notTaken: { lines: 1, value: 90, valueAtRisk: 11.6 },
    })
  })

  it('takes nothing that protects too little once something did not fit, and leaves the money', () => {
    const leastProtected = 2
    const { taken, left } = fillBudget(LINES, { money: 100, units: null, leastProtected })
    expect(taken.map(({ line, quantity }) => [line.sku, quantity])).toEqual([
      ['B', 5],
      ['A', 8],
    ])
    expect(left.money).toBe(2)
    const all = fillBudget(LINES, { money: 1000, units: null, leastProtected })
    expect(all.taken.map(({ line }) => line.sku)).toEqual(['B', 'A', 'C', 'D'])
  })

  it('cuts a line to whole lots', () => {
    const lots = [{ ...A, lotSize: 5 }, B, { ...C, lotSize: 10 }, D]
    expect(parts(lots, 100)).toEqual([
      ['B', 5],
      ['A', 5],
      ['C', 10],
    ])
  })

  it('passes over what it cannot cut, and takes the next that fits', () => {
    expect(parts([{ ...A, moq: 9 }, B, C, D], 100)).toEqual([
      ['B', 5],
      ['C', 20],
      ['D', 1],
    ])
  })

  it('takes a whole line as it is, whatever its lots', () => {
    expect(parts([{ ...A, lotSize: 4, moq: 12 }], 60)).toEqual([['A', 10]])
    expect(parts([{ ...A, lotSize: 2.5 }], 59)).toEqual([['A', 5]])
  })

  it('goes by units where no money is limited, and keeps to both where both are', () => {
    expect(parts(LINES, null, 12)).toEqual([
      ['B', 5],
      ['A', 7],
    ])
    expect(parts(LINES, 100, 7)).toEqual([
      ['B', 5],
      ['A', 2],
    ])
    expect(fillBudget(LINES, { money: 100, units: 7 }).left).toEqual({ money: 38, units: 0 })
  })

  it('takes what waiting costs nothing, or less, at the end; equal ones as they are given', () => {
    const [none, other] = [line('none', 1, 1, 0), line('other', 1, 1, 0)]
    expect(parts([D, none, other, C], 1000).map(([sku]) => sku)).toEqual([
      ...['C', 'none', 'other', 'D'],
    ])
  })

  it('takes what costs no money first, unless it protects nothing', () => {
    const free = line('free', 3, 0, 1)
    expect(parts([B, free, line('vain', 3, 0, 0)], 0)).toEqual([
      ['free', 3],
      ['vain', 3],
    ])
  })

  it('counts in cents', () => {
    // 3 · 0.3333 = 0.9999, which is 1.00; 0.1 + 0.2 leave nothing of 0.30.
    expect(fillBudget([line('x', 3, 0.3333, 1)], { money: 1, units: null }).value).toBe(1)
    const dimes = [line('x', 1, 0.1, 1), line('y', 1, 0.2, 1)]
    expect(fillBudget(dimes, { money: 0.3, units: null }).left.money).toBe(0)
    expect(fillBudget(dimes, { money: 0.2999, units: null }).left.money).toBe(0.19)
  })

  it('pays a part below a price break at its own price', () => {
    const prices = [
      { from: 0, unitCost: 2.1 },
      { from: 200, unitCost: 1.95 },
    ]
    // 240 cost 468; 420 would pay 215 at 1.95, which are above the break, 389 only 185 at 2.10.
    const priced = { ...line('P', 240, 1.95, 24), prices }
    const fill = (money: number | null, units: number | null = null, of: object = {}) =>
      fillBudget([{ ...priced, ...of }], { money, units })
    expect(fill(420).taken).toMatchObject([{ quantity: 215, value: 419.25, rest: 48.75 }])
    const { taken, left, notTaken } = fill(389)
    expect(taken).toMatchObject([{ quantity: 185, value: 388.5, valueAtRisk: 18.5, rest: 107.25 }])
    expect([left.money, notTaken.value]).toEqual([0.5, 107.25])
    expect(fill(null, 199).taken).toMatchObject([{ quantity: 199, value: 417.9 }])
    expect(fill(420, null, { lotSize: 40 }).taken).toMatchObject([{ quantity: 200, value: 390 }])
    // Below the first price that is known nothing can be paid.
    expect(fill(389, null, { prices: prices.slice(1) }).taken).toEqual([])
  })

  it('is filled as the guide shows', () => {
    const lines = [
      line('A-100', 120, 4.2, 36.3, { lotSize: 40 }),
      line('B', 60, 4.2, 3.5, { moq: 60 }),
    ]
    const { taken, ...filled } = fillBudget(lines, { money: 500, units: null })
    expect(taken).toEqual([
      { line: lines[0], quantity: 80, value: 336, valueAtRisk: 24.2, rest: 168 },
    ])
    expect(filled.left.money).toBe(164)
    expect(filled.notTaken).toEqual({ lines: 1, value: 420, valueAtRisk: 15.6 })
  })

  it('of nothing, or for nothing, is empty', () => {
    const nothing = { lines: 0, value: 0, valueAtRisk: 0 }
    expect(fillBudget([], { money: 5, units: 5 })).toEqual({
      ...{ taken: [], value: 0, units: 0, left: { money: 5, units: 5 }, notTaken: nothing },
    })
    expect(parts(LINES, 0)).toEqual([])
    expect(parts(LINES, null, 0)).toEqual([])
  })
})

const anyLine = fc
  .tuple(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 0, max: 50_000 }),
    fc.integer({ min: -500, max: 5000 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 30 }),
  )
  .map(([lots, cost, risk, lotSize, moq]): BudgetLine => ({
    ...{ quantity: lots * lotSize, unitCost: cost / 1e4, valueAtRisk: risk / 100, lotSize, moq },
  }))
const anyLines = fc.array(anyLine, { maxLength: 9 })
const limit = (most: number) => fc.option(fc.integer({ min: 0, max: most }))

it('never exceeds its limits, orders what can be ordered, and loses no cent', () => {
  fc.assert(
    fc.property(anyLines, limit(1000), limit(500), (lines, money, units) => {
      const { taken, notTaken, ...filled } = fillBudget(lines, { money, units })
      expect(filled.value).toBeLessThanOrEqual(money ?? Infinity)
      expect(filled.units).toBeLessThanOrEqual(units ?? Infinity)
      for (const { line, quantity } of taken) {
        const isCut = quantity < line.quantity
        expect(isCut ? quantity % line.lotSize : 0).toBe(0)
        expect(quantity).toBeGreaterThanOrEqual(isCut ? line.moq : line.quantity)
      }
      const whole = fillBudget(lines, { money: null, units: 1e9 })
      expect(filled.value + notTaken.value).toBeCloseTo(whole.value, 6)
    }),
  )
})

it('of uncut lines protects less than the best choice by no more than one line', () => {
  fc.assert(
    fc.property(anyLines, fc.integer({ min: 0, max: 200 }), (any, money) => {
      const lines = any.map((each) => ({ ...each, moq: each.quantity }))
      const protectedBy = (chosen: BudgetLine[]) =>
        chosen.reduce((sum, { valueAtRisk }) => sum + Math.max(0, valueAtRisk), 0)
      const best = Math.max(
        ...Array.from({ length: 2 ** lines.length }, (_, set) => {
          const chosen = lines.filter((_, at) => set & (1 << at))
          const isPaid = fillBudget(chosen, { money, units: null }).notTaken.lines === 0
          return isPaid ? protectedBy(chosen) : 0
        }),
      )
      const { taken } = fillBudget(lines, { money, units: null })
      const largest = Math.max(0, ...lines.map(({ valueAtRisk }) => valueAtRisk))
      expect(best - protectedBy(taken.map(({ line }) => line))).toBeLessThanOrEqual(largest + 1e-9)
    }),
  )
})
