import fc from '../../support/properties.ts'
import { delayAfter } from '../../../srv/domain/webhooks/send.ts'

const HOUR_MS = 3_600_000

describe('the plan of tries', () => {
  it('begins in seconds, grows to a day, and ends after ten tries over three days', () => {
    const delays = Array.from({ length: 9 }, (_, at) => delayAfter(at + 1, 0, 0)!)
    expect(delays[0]).toBe(5000)
    expect(delays.at(-1)).toBe(24 * HOUR_MS)
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    const days = delays.reduce((a, b) => a + b) / (24 * HOUR_MS)
    expect(days).toBeGreaterThan(3)
    expect(delayAfter(10)).toBeNull()
  })

  it('waits as long as the receiver asks, a day at most, and never less than planned', () => {
    const tries = fc.integer({ min: 1, max: 9 })
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(tries, fc.nat(), unit, (count, asked, random) => {
        const plain = delayAfter(count, 0, 0)!
        const delay = delayAfter(count, asked, random)!
        expect(delay).toBeGreaterThanOrEqual(Math.max(plain, Math.min(asked, 24 * HOUR_MS)))
        expect(delay).toBeLessThanOrEqual(Math.max(plain * 1.2, 24 * HOUR_MS))
      }),
    )
  })
})
