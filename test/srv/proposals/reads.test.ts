// How often an approval reads its proposal: once, locked, to decide about it; the app reads it once more, to show it.
// Whoever has a limit for a day reads its supplier before that, whose approvals are locked first.
import { StatementSync } from 'node:sqlite'
import { jest } from '@jest/globals'
import '../../support/server.ts'
import { isSqlite } from '../../support/statement.ts'
import { decide } from '../buyer/odata.ts'
import { post } from '../v1/api.ts'
import { openShop, type Shop } from './shop.ts'

/** Reads of one proposal by its number, through any view; the feed of tasks reads many at a time. */
const READ = /^\s*(?:WITH\b.*)?SELECT\b.*\b(?:restock|BuyerService)_Proposals\b.*\.ID = /is

type Method = 'all' | 'get' | 'iterate'

/** The statements of the work that read this proposal. */
async function readsOf(ID: number, work: () => Promise<unknown>): Promise<string[]> {
  const reads: string[] = []
  const spies = (['all', 'get', 'iterate'] as const).map((method: Method) => {
    const original = StatementSync.prototype[method] as (...values: unknown[]) => unknown
    return jest.spyOn(StatementSync.prototype, method).mockImplementation(function (
      this: StatementSync,
      ...values: unknown[]
    ) {
      if (READ.test(this.sourceSQL) && values.some((value) => Number(value) === ID))
        reads.push(this.sourceSQL)
      return original.apply(this, values)
    } as never)
  })
  await work()
  spies.forEach((spy) => spy.mockRestore())
  return reads
}

const onSqlite = isSqlite ? describe : describe.skip

onSqlite('an approval', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop('reads', 4)
    await decide(shop.take(), 'approve')
  })

  it('through /v1 reads its proposal once', async () => {
    const ID = shop.take()
    const reads = await readsOf(ID, () => post(`/proposals/prop_${ID}/approve`))
    expect(await shop.historyOf(ID)).toEqual(['created', 'approved'])
    expect(reads).toHaveLength(1)
  })

  it('through the app once to decide, and once to show it', async () => {
    const ID = shop.take()
    const reads = await readsOf(ID, () => decide(ID, 'approve', {}, { as: 'approver' }))
    expect(await shop.historyOf(ID)).toEqual(['created', 'approved'])
    expect(reads).toHaveLength(2)
  })
})
