import { priceChangesOf } from '../../../engine/proposal/index.ts'

const line = (sku: string, day: string, quantity: number, unitCost: number) => ({
  ...{ sku, day, quantity, unitCost },
})

it('is what the same goods cost more, by quantity', () => {
  const { year, months } = priceChangesOf([
    line('A', '2026-01-10', 10, 2),
    line('A', '2026-02-10', 30, 2.2),
    // A second line of the day: 2.20 and 2.60 by half are 2.40.
    line('A', '2026-02-10', 30, 2.6),
    line('B', '2026-01-15', 5, 10),
    line('B', '2026-02-15', 5, 9),
    // Another good in the basket, however dear, is no change.
    line('C', '2026-02-20', 100, 500),
  ])
  // February: 60 of A at 2.40 after 2.00, 5 of B at 9 after 10.
  expect(months.get('2026-02')).toBeCloseTo((60 * 2.4 + 5 * 9) / (60 * 2 + 5 * 10) - 1, 12)
  expect([...months.keys()]).toEqual(['2026-02'])
  expect(year).toBeCloseTo((70 * 2.4 + 10 * 9) / (70 * 2 + 10 * 10) - 1, 12)
})

it('is not known of what was ordered once', () => {
  expect(priceChangesOf([line('A', '2026-01-10', 10, 2)])).toEqual({
    year: null,
    months: new Map(),
  })
})
