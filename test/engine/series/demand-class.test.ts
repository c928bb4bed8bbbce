import { demandClassOf } from '../../../engine/series/demand-class.ts'

const classOf = (...values: number[]) => demandClassOf({ values: Float64Array.from(values) })

describe('the class of demand', () => {
  it('distinguishes frequent from rare demand, and even from uneven sizes', () => {
    expect(classOf(4, 5, 6, 5)).toBe('smooth')
    expect(classOf(1, 30, 1, 1)).toBe('erratic')
    expect(classOf(4, 0, 0, 5)).toBe('intermittent')
    expect(classOf(1, 0, 30, 0, 1, 0, 1, 0)).toBe('lumpy')
  })

  it('draws the line at an interval of 1.32 and a squared variation of .49', () => {
    const sold = new Array<number>(100).fill(5)
    expect(classOf(...sold, ...new Array<number>(31).fill(0))).toBe('smooth')
    expect(classOf(...sold, ...new Array<number>(32).fill(0))).toBe('intermittent')
    // Half of them 1 − c, half 1 + c: CV² = c².
    expect(classOf(0.31, 1.69)).toBe('smooth')
    expect(classOf(0.29, 1.71)).toBe('erratic')
  })

  it('is smooth, or intermittent, where there is nothing to tell from', () => {
    expect(classOf(5)).toBe('smooth')
    expect(classOf()).toBe('intermittent')
  })
})
