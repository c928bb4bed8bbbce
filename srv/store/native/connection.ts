import cds from '@sap/cds'

/**
 * The driver's own connection of the present transaction: CAP's plain SQL knows neither RETURNING
 * nor arrays as parameters, and prepares each statement anew.
 */
export async function connection<Driver>(): Promise<Driver> {
  const tx = cds.db.tx(cds.context as never) as unknown as {
    dbc: Driver
    run(sql: string): Promise<unknown>
  }
  // The first statement begins the transaction.
  await tx.run('SELECT 1')
  return tx.dbc
}

/** Reads in the caller's transaction where there is one: SQLite has no second connection. */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const { tx } = (cds.context ?? {}) as { tx?: { _done?: string } }
  return await (tx && !tx._done ? work() : cds.tx(work))
}
