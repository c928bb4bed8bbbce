// What is read of one pair is found by an index, however many documents a company has.
import type { DatabaseSync } from 'node:sqlite'
import { driverConnection, prepareStatement } from '../../../srv/base/cap/connection.ts'
import { inTransaction } from '../../../srv/base/cap/context.ts'
import '../../support/server.ts'

async function planOf(query: string) {
  const sql = `EXPLAIN QUERY PLAN ${query}`
  const plan = await inTransaction(async () =>
    prepareStatement(await driverConnection<DatabaseSync>(), sql).all(),
  )
  return plan.map(({ detail }) => detail).join('\n')
}

it.each(['CurrentOpenOrders', 'CurrentCustomerOrders', 'CurrentReservations', 'Receipts'])(
  "a SKU's %s are searched, not scanned",
  async (name) => {
    const steps = await planOf(`SELECT * FROM restock_${name} WHERE source_ID = 1 AND sku = 'A-1'`)
    expect(steps).toMatch(/SEARCH .* \(source_ID=\? .*sku=\?/)
    expect(steps).not.toMatch(/SCAN/)
  },
)

it.each(['createdAt', 'decidedAt'])('proposals of a month by %s are searched', async (day) => {
  const month = `${day} >= '2026-05-01T00:00:00.000Z' AND ${day} < '2026-06-01T00:00:00.000Z'`
  const steps = await planOf(
    `SELECT count(*) FROM restock_Proposals WHERE source_ID = 1 AND ${month}`,
  )
  expect(steps).toMatch(new RegExp(`COVERING INDEX .*source_ID=\\? AND ${day}>`))
})
