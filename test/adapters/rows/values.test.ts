import fc from '../../support/properties.ts'
import {
  toExact,
  ONE,
  divideExactly,
  multiplyByRatio,
  toMoney,
  toNumber,
} from '../../../adapters/rows/decimals.ts'
import {
  BadValue,
  codeOf,
  currencyOf,
  dayOf,
  instantOf,
  wholeOf,
} from '../../../adapters/rows/values.ts'

describe('decimals', () => {
  it.each([
    ['0.00000000000001', 1n],
    ['13.000', 13n * ONE],
    ['-1.5', (-3n * ONE) / 2n],
    ['99999999999999999.00000000000000', 99999999999999999n * ONE],
    [12, 12n * ONE],
    ['1.', ONE],
  ])('reads %j', (text, value) => expect(toExact(text)).toBe(value))

  it.each(['', 'x', '1,5', '1e3', '--1', ' 1', null, undefined, {}, NaN])('refuses %j', (value) =>
    expect(toExact(value)).toBeNull(),
  )

  it('adds without the errors of binary fractions', () => {
    const sum = Array.from({ length: 10 }, () => toExact('0.1')!).reduce((a, b) => a + b)
    expect(toNumber(sum)).toBe(1)
  })

  it('gives the nearest number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 999 }),
        (whole, milli) => {
          const text = `${whole}.${String(milli).padStart(3, '0')}`
          expect(toNumber(toExact(text)!) + 0).toBe(Number(text) + 0)
        },
      ),
    )
  })

  it('divides and multiplies exactly', () => {
    expect(toMoney(divideExactly(toExact('12.50')!, toExact('100')!))).toBe('0.1250')
    expect(toMoney(divideExactly(toExact('2')!, toExact('3')!))).toBe('0.6667')
    expect(toMoney(toExact('0.00005')!)).toBe('0.0001')
    expect(toMoney(toExact('0.00003')!)).toBe('0.0001')
    expect(toMoney(toExact('0.000000')!)).toBe('0.0000')
    expect(toNumber(multiplyByRatio(toExact('7')!, toExact('1')!, toExact('1000')!))).toBe(0.007)
  })
})

describe('days and instants', () => {
  it.each([
    ['/Date(0)/', '1970-01-01'],
    ['/Date(-86400000)/', '1969-12-31'],
    ['/Date(1619222400000)/', '2021-04-24'],
    ['/Date(1619222400000+0000)/', '2021-04-24'],
    ['/Date(253402214400000)/', '9999-12-31'],
    ['2026-01-31', '2026-01-31'],
    [null, null],
    ['', null],
    [undefined, null],
  ])('%j is the day %j', (value, day) => expect(dayOf(value, 'PostingDate')).toBe(day))

  it.each([
    'PT0S',
    '2026-02-30',
    '0001-01-01',
    '/Date(-2208988800001)/',
    '/Date()/',
    '/Date(99999999999999999)/',
    'yesterday',
    true,
  ])('%j is no day', (value) => expect(() => dayOf(value, 'PostingDate')).toThrow(BadValue))

  it('reads instants as such', () => {
    expect(instantOf('/Date(1619222400000+0120)/')).toBe(1619222400000)
    expect(instantOf('2026-01-31T10:00:00Z')).toBe(Date.UTC(2026, 0, 31, 10))
    expect(instantOf(null)).toBeNull()
    expect(instantOf('PT0S')).toBeNull()
  })
})

describe('other values', () => {
  it('says what is wrong with them', () => {
    expect(() => codeOf('', 'Plant')).toThrow('Plant is empty.')
    expect(() => codeOf('x'.repeat(101), 'Plant')).toThrow(
      'Plant must have at most 100 characters.',
    )
    expect(() => wholeOf('1.5', 'Days')).toThrow('Days must be a whole number.')
    expect(() => wholeOf('-1', 'Days')).toThrow('Days must not be negative.')
    expect(() => currencyOf('EU', 'Currency')).toThrow(BadValue)
  })
})
