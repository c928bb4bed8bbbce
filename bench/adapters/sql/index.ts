// A company in the views of a real PostgreSQL, for the sql adapter.
import {
  createViews,
  insertRows,
  type TestDatabase,
} from '../../../test/support/databases/database.ts'
import { startPostgresDatabase } from '../../../test/support/databases/postgres.ts'
import type { Company } from '../../../sandbox/company/company.ts'
import { listsOf, movementsOf } from './rows.ts'

const PREFIX = 'restock_'

export interface CompanySql extends Pick<TestDatabase, 'account' | 'reader'> {
  /** Writes what has happened in the company since. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export async function startSql(company: Company): Promise<CompanySql> {
  const database = await startPostgresDatabase()
  await createViews(database, PREFIX, { ...listsOf(company), ...movementsOf(company, 1) })
  for (const list of ['demand', 'receipts']) {
    await database.run(`CREATE INDEX ON ${PREFIX}data_${list} (changed_at)`)
  }
  let written = company.ledger.size
  return {
    ...{ account: database.account, reader: database.reader },
    async refresh() {
      const lists = listsOf(company)
      for (const list of Object.keys(lists)) await database.run(`DELETE FROM ${PREFIX}data_${list}`)
      await insertRows(database, PREFIX, { ...lists, ...movementsOf(company, written + 1) })
      written = company.ledger.size
    },
    close: () => database.stop(),
  }
}
