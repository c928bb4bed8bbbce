import fc from '../../support/properties.ts'
import { conditionsFor, DISTANCE } from '../../../adapters/odata/keys.ts'
import { parametersOf } from '../../../adapters/odata/query.ts'
import { PRODUCT } from '../../../adapters/s4hana/services.ts'

describe('a query', () => {
  const query = { service: PRODUCT, set: 'A', key: ['K1', 'K2', 'K3'], select: ['K1', 'X'], top: 5 }

  it('sorts by the whole key and goes on behind a key', () => {
    expect(parametersOf(query, { after: ['a', "b'c", ''] }, false)).toEqual({
      $top: '5',
      $select: 'K1,X',
      $orderby: 'K1,K2,K3',
      $filter: "(K1 gt 'a' or (K1 eq 'a' and (K2 gt 'b''c' or (K2 eq 'b''c' and (K3 gt '')))))",
    })
  })

  it('keeps its own filter apart', () => {
    const filter = "X eq '1' or X eq '2'"
    expect(parametersOf({ ...query, key: ['K1'], filter }, { after: ['a'] }, true)).toMatchObject({
      $filter: "(X eq '1' or X eq '2') and (K1 gt 'a')",
      $inlinecount: 'allpages',
    })
  })
})

describe('conditions for keys', () => {
  it('name the keys alone, those that follow each other as a range', () => {
    const [condition] = conditionsFor('P', ['4500000003', '4500000001', '4500000002', '4500000005'])
    expect(condition!.filter).toBe("(P ge '4500000001' and P le '4500000003') or P eq '4500000005'")
    const covered = ['4500000000', '4500000003', '4500000004', '4500000005', '4500000006']
    expect(covered.map(condition!.covers)).toEqual([false, true, false, true, false])
  })

  it('make ranges of numbers that stand close together, where gaps are cheap', () => {
    const keys = ['4500000012', '4500000001', '4500000090']
    const [condition] = conditionsFor('P', keys, DISTANCE.gaps)
    expect(condition!.filter).toBe("(P ge '4500000001' and P le '4500000012') or P eq '4500000090'")
    const covered = ['4500000000', '4500000005', '4500000012', '4500000013', '4500000090']
    expect(covered.map(condition!.covers)).toEqual([false, true, true, false, true])
    expect(conditionsFor('P', [])).toEqual([])
  })

  it('cover each key, and stay short', () => {
    const key = fc.oneof(
      fc.integer({ min: 0, max: 999_999 }).map((n) => String(n).padStart(10, '0')),
      fc.string({ minLength: 1, maxLength: 40 }),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 40 })
        .filter((text) => text.isWellFormed()),
    )
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const conditions = conditionsFor('P', keys)
        const ranges = conditions.flatMap(({ filter }) => [
          ...filter.matchAll(/P ge '((?:[^']|'')*)' and P le '((?:[^']|'')*)'/g),
        ])
        const equal = conditions.map(({ filter }) => filter).join('\n')
        for (const one of keys) {
          const isNamed = equal.includes(`P eq '${one.replaceAll("'", "''")}'`)
          expect(isNamed || ranges.some(([, from, to]) => one >= from! && one <= to!)).toBe(true)
        }
        for (const { filter } of conditions) {
          expect(encodeURIComponent(filter).length).toBeLessThan(6_500)
        }
        expect(keys.filter((one) => !conditions.some(({ covers }) => covers(one)))).toEqual([])
      }),
    )
  })
})
