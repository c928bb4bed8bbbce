import { orderableQuantity } from '../../../engine/proposal/index.ts'

const limits = { moq: 80, lotSize: 40, calculated: 120 }

describe('an edited quantity', () => {
  it.each([80, 120, 200, 1200])('of %p can be ordered', (quantity) => {
    expect(orderableQuantity(quantity, limits)).toEqual({ ok: true })
  })

  it.each([
    [130, 'lot_size', 120, 160],
    [40, 'moq', null, 80],
    [1, 'moq', null, 80],
    [1240, 'maximum', 1200, null],
    [1201, 'maximum', 1200, null],
    [1e12, 'maximum', 1200, null],
  ])('of %p breaks %p: the nearest are %p and %p', (quantity, breaks, below, above) => {
    expect(orderableQuantity(quantity, limits)).toEqual({ ok: false, breaks, below, above })
  })

  it("is held by the policy's maximum", () => {
    const answer = orderableQuantity(400, { ...limits, maximum: 300 })
    expect(answer).toEqual({ ok: false, breaks: 'maximum', below: 280, above: null })
  })

  it('has no valid neighbour where minimum and maximum exclude each other', () => {
    const answer = orderableQuantity(100, { ...limits, maximum: 50 })
    expect(answer).toEqual({ ok: false, breaks: 'maximum', below: null, above: null })
  })

  it('is a whole multiple of a fractional lot', () => {
    const fractional = { moq: 0.5, lotSize: 2.5, calculated: 10 }
    expect(orderableQuantity(15, fractional)).toEqual({ ok: true })
    expect(orderableQuantity(12, fractional)).toMatchObject({ below: 10, above: 15 })
  })
})
