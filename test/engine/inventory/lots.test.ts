import fc from '../../support/properties.ts'
import { roundToLots, wholeStep } from '../../../engine/inventory/lots.ts'

describe('lot rounding', () => {
  it.each([
    [108, 40, 40, 120],
    [108, 1, 1, 108],
    [3, 40, 1, 40],
    [3, 50, 40, 80],
    [107.2, 1, 1, 108],
    [120, 1, 40, 120],
    [3, 12.5, 1, 13],
    [4, 1, 2.5, 5],
    [6, 1, 2.5, 10],
    [3, 0.5, 0.25, 3],
    [0, 40, 40, 0],
    [0.1 + 0.2 - 0.3, 40, 40, 40],
  ])('orders for %p units, moq %p, lot size %p: %p', (units, moq, lotSize, expected) => {
    expect(roundToLots(units, { moq, lotSize })).toBe(expected)
  })

  it('does not order a lot for the noise of binary fractions', () => {
    expect(roundToLots(120 + 1e-12, { moq: 1, lotSize: 40 })).toBe(120)
  })

  it('knows the least whole multiple of a fractional lot', () => {
    expect([40, 2.5, 0.25, 1.2, 12.48].map(wholeStep)).toEqual([40, 5, 1, 6, null])
  })

  it('refuses a lot size of which no whole order is a multiple', () => {
    expect(wholeStep(0.333)).toBeNull()
    expect(() => roundToLots(1, { moq: 1, lotSize: 0.333 })).toThrow(RangeError)
  })

  it('gives the least whole multiple that is enough', () => {
    const quantity = fc.integer({ min: 1, max: 1e7 })
    fc.assert(
      fc.property(quantity, quantity, fc.integer({ min: 1, max: 5000 }), (units, moq, lotSize) => {
        const rounded = roundToLots(units, { moq, lotSize })
        expect(rounded % lotSize).toBe(0)
        expect(rounded).toBeGreaterThanOrEqual(Math.max(units, moq))
        expect(rounded - lotSize).toBeLessThan(Math.max(units, moq))
      }),
    )
  })
})
