import fc from 'fast-check'
import { fractionOf, isAtMost, type Rate, Rates, toMoney } from '../../../srv/domain/money/rates.ts'

const rate = (fromCurrency: string, toCurrency: string, rate: string): Rate => ({
  ...{ fromCurrency, toCurrency, rate },
})
const converted = (rates: Rate[], value: string, from: string, to: string) => {
  const sum = new Rates(rates, 'EUR').sumIn(to, [{ value, currency: from }])
  return 'unknown' in sum ? sum : toMoney(sum)
}

it.each([
  ['direct', [rate('USD', 'GBP', '0.8'), rate('GBP', 'USD', '9')], '100.00', 'USD', 'GBP', '80.00'],
  ['inverse', [rate('GBP', 'USD', '1.25')], '100.00', 'USD', 'GBP', '80.00'],
  [
    'by way of EUR',
    [rate('USD', 'EUR', '0.9'), rate('EUR', 'GBP', '0.8')],
    '100.00',
    'USD',
    'GBP',
    '72.00',
  ],
  [
    'by way of EUR, both inverse',
    [rate('EUR', 'USD', '1.25'), rate('GBP', 'EUR', '2')],
    '100.00',
    'USD',
    'GBP',
    '40.00',
  ],
  ['the same currency', [], '100.00', 'USD', 'USD', '100.00'],
  ['small', [rate('IDR', 'EUR', '0.00005')], '200000000.00', 'IDR', 'EUR', '10000.00'],
] as const)('a rate may be %s', (_, rates, value, from, to, expected) => {
  expect(converted([...rates], value, from, to)).toBe(expected)
})

it('is not guessed: not by way of another currency than the account’s', () => {
  const rates = [rate('USD', 'CHF', '0.9'), rate('CHF', 'GBP', '0.9')]
  expect(converted(rates, '1.00', 'USD', 'GBP')).toEqual({ unknown: 'USD' })
  expect(converted([], '1.00', 'USD', 'EUR')).toEqual({ unknown: 'USD' })
})

it('amounts are exact, however many there are', () => {
  const cents = fc.array(fc.bigInt({ min: 0n, max: 10n ** 17n }), { minLength: 1, maxLength: 50 })
  const decimal = (cents: bigint) => toMoney({ numerator: cents, denominator: 100n })
  const property = fc.property(cents, (amounts) => {
    const limit = fractionOf(decimal(amounts.reduce((sum, each) => sum + each, 0n)))
    const sum = new Rates([], 'EUR').sumIn(
      'EUR',
      amounts.map((each) => ({ value: decimal(each), currency: 'EUR' })),
    )
    if ('unknown' in sum) throw new Error(sum.unknown)
    expect(isAtMost(sum, limit)).toBe(true)
    const { numerator, denominator } = limit
    expect(isAtMost(sum, { numerator: numerator - 1n, denominator })).toBe(false)
  })
  fc.assert(property)
})

it('a cent over the limit is over it after a conversion too', () => {
  const rates = new Rates([rate('USD', 'EUR', '0.333333333333')], 'EUR')
  const within = (value: string) => {
    const sum = rates.sumIn('EUR', [{ value, currency: 'USD' }])
    return !('unknown' in sum) && isAtMost(sum, fractionOf('10000.00'))
  }
  expect(within('30000.00')).toBe(true)
  expect(within('30000.01')).toBe(false)
})

it.each([
  ['1e-7', 1n, 10_000_000n],
  ['0.25', 25n, 100n],
  ['1e21', 10n ** 21n, 1n],
  [12, 12n, 1n],
] as const)('%s is read as databases write it', (text, numerator, denominator) => {
  expect(fractionOf(text)).toEqual({ numerator, denominator })
})
