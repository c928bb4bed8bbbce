// What is read of one pair is found by an index, however many documents a company has.
import type { DatabaseSync } from 'node:sqlite'
import { driverConnection, prepareStatement } from '../../../srv/base/cap/connection.ts'
import { inTransaction } from '../../../srv/base/cap/context.ts'
import '../../support/server.ts'

it.each(['CurrentOpenOrders', 'CurrentCustomerOrders', 'CurrentReservations', 'Receipts'])(
  "a SKU's %s are searched, not scanned",
  async (name) => {
    const sql = `EXPLAIN QUERY PLAN SELECT * FROM restock_${name} WHERE source_ID = 1 AND sku = 'A-1'`
    const plan = await inTransaction(async () =>
      prepareStatement(await driverConnection<DatabaseSync>(), sql).all(),
    )
    const steps = plan.map(({ detail }) => detail).join('\n')
    expect(steps).toMatch(/SEARCH .* \(source_ID=\? .*sku=\?/)
    expect(steps).not.toMatch(/SCAN/)
  },
)
