import {
  dayOfReceipt,
  measureLines,
  type ReceivedLine,
} from '../../../engine/inventory/measured-lead-time.ts'

const lines = (leadTimes: number[], delays: (number | null)[] = []): ReceivedLine[] =>
  leadTimes.map((leadTime, at) => ({ leadTime, delay: delays[at] ?? null }))

describe('measureLines', () => {
  it('gives the median and the spread between P10 and P90', () => {
    const { leadTime } = measureLines(lines([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]))
    expect(leadTime).toMatchObject({ median: 15, count: 11 })
    // From 11 to 19.
    expect(leadTime!.deviation).toBeCloseTo(8 / 2.563, 3)
  })

  it('is not moved by an absurd date', () => {
    const { leadTime } = measureLines(lines([...Array.from({ length: 12 }, () => 14), 900]))
    expect(leadTime).toEqual({ median: 14, deviation: 0, count: 13 })
  })

  it('sees late ones though most are punctual', () => {
    const { leadTime } = measureLines(lines([14, 14, 14, 14, 14, 14, 14, 30, 32, 34]))
    expect(leadTime!.median).toBe(14)
    expect(leadTime!.deviation).toBeGreaterThan(6)
  })

  it('tells how many were late, and how late those were', () => {
    const found = measureLines(lines([1, 2, 3, 4, 5], [-2, 0, 4, 6, null]))
    expect(found).toMatchObject({ shareLate: 0.5, lateDays: 5, delay: { median: 2, count: 4 } })
  })

  it('says nothing of what is not known', () => {
    expect(measureLines([{ leadTime: null, delay: null }])).toEqual({
      ...{ leadTime: null, delay: null, shareLate: null, lateDays: null },
    })
  })
})

describe('dayOfReceipt', () => {
  const on = (day: number, quantity: number) => ({ receivedOn: `2026-03-0${day}`, quantity })

  it.each([
    ['the only one', [on(3, 10)], '2026-03-03'],
    ['not the sample sent ahead', [on(1, 1), on(4, 9)], '2026-03-04'],
    ['not the rest sent later', [on(6, 1), on(4, 9)], '2026-03-04'],
    ['after what was booked in error and undone', [on(1, 10), on(2, -10), on(5, 10)], '2026-03-05'],
  ])('is the day of %s', (_, receipts, day) => {
    expect(dayOfReceipt(receipts)).toBe(day)
  })

  it('is null where nothing stayed', () => {
    expect(dayOfReceipt([on(1, 10), on(2, -10)])).toBeNull()
  })
})
