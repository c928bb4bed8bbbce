// Which contract an order is called off from, and what is left, against a plain ledger.
import fc from 'fast-check'
import { callOffs, type Contract } from '../../../engine/proposal/index.ts'

const TODAY = '2026-11-20'

const contract = (document: string, more: Partial<Contract> = {}): Contract => ({
  ...{ document, line: '10', location: '', supplier: 'S-1', remaining: 100 },
  ...{ createdOn: '2026-01-01', due: '2026-12-31', ...more },
})
const call = (ID: number, quantity: number, more = {}) => ({
  ...{ ID, quantity, location: 'L1', supplier: 'S-1' as string | null, ...more },
})

const of = (contracts: Contract[], calls: ReturnType<typeof call>[]) =>
  [...callOffs(contracts, calls, TODAY)].map(([ID, { contract: own, left, called, over }]) => [
    ...[ID, own.document, left, called, over],
  ])

describe('an order', () => {
  it('calls off from the oldest contract that has something left', () => {
    const contracts = [
      contract('C-1', { createdOn: '2026-03-01' }),
      contract('C-2', { createdOn: null }),
      contract('C-3', { createdOn: '2026-02-01', remaining: 50 }),
    ]
    expect(of(contracts, [call(1, 30), call(2, 30), call(3, 80)])).toEqual([
      [1, 'C-3', 50, 30, 0],
      [2, 'C-3', 20, 20, 10],
      [3, 'C-1', 100, 80, 0],
    ])
  })

  it('is told of the newest where none has anything left', () => {
    const contracts = [contract('C-1', { remaining: 10 }), contract('C-2', { remaining: 5 })]
    expect(of(contracts, [call(1, 10), call(2, 5), call(3, 7)])).toEqual([
      [1, 'C-1', 10, 10, 0],
      [2, 'C-2', 5, 5, 0],
      [3, 'C-2', 0, 0, 7],
    ])
  })

  it.each([
    ['has ended', { due: '2026-11-19' }],
    ['has not begun', { createdOn: '2026-11-21' }],
    ['is used up', { remaining: 0 }],
    ['is of another location', { location: 'L2' }],
    ['is of another supplier', { supplier: 'S-2' }],
  ])('calls off from no contract that %s', (_why, more) => {
    expect(of([contract('C-1', more)], [call(1, 10)])).toEqual([])
  })

  it('calls off on the last day, and from a contract of any supplier', () => {
    const contracts = [contract('C-1', { supplier: null, due: TODAY, createdOn: TODAY })]
    expect(of(contracts, [call(1, 10, { supplier: null })])).toEqual([[1, 'C-1', 100, 10, 0]])
  })
})

it('takes from no contract more than it has left, and no unit twice', () => {
  const days = ['2026-01-01', '2026-06-01', '2026-11-20', '2026-12-31', null] as const
  const places = fc.constantFrom('L1', 'L2')
  const suppliers = fc.constantFrom('S-1', 'S-2', null)
  const contracts = fc.array(
    fc.record({
      ...{ location: fc.oneof(places, fc.constant('')), supplier: suppliers },
      ...{ remaining: fc.nat(200), createdOn: fc.constantFrom(...days) },
      due: fc.constantFrom(...days),
    }),
    { maxLength: 6 },
  )
  const calls = fc.array(
    fc.record({
      location: places,
      supplier: suppliers,
      quantity: fc.integer({ min: 1, max: 150 }),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(contracts, calls, (agreed, wanted) => {
      const own = agreed.map((each, at) => contract(`C-${at}`, each))
      const ledger = new Map(own.map(({ document, remaining }) => [document, remaining]))
      const found = callOffs(
        own,
        wanted.map((each, ID) => ({ ...each, ID })),
        TODAY,
      )
      wanted.forEach(({ quantity }, ID) => {
        const one = found.get(ID)
        if (!one) return
        const { document } = one.contract
        expect(one.left).toBe(ledger.get(document))
        expect(one.called + one.over).toBe(quantity)
        expect(one.called).toBe(Math.min(quantity, one.left))
        ledger.set(document, ledger.get(document)! - one.called)
      })
      for (const left of ledger.values()) expect(left).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 1_000 },
  )
})
