import { DatabaseSync } from 'node:sqlite'
import { prepareConnections } from '../../../srv/cap/connection-pool.ts'
import { toDatabaseRefusal } from '../../../srv/store/database-faults.ts'

it.each([
  [1_000, 15_000],
  [60_000, 60_000],
])('of %d ms to wait for a connection it makes %d', (configured, expected) => {
  const factory = {
    options: { acquireTimeoutMillis: configured, max: 7 },
    create: async () => ({}),
  }
  prepareConnections({ kind: 'postgres', pools: { _factory: factory } })
  expect(factory.options).toEqual({ acquireTimeoutMillis: expected, max: 7 })
})

it('of SQLite rolls back what SQLite has not rolled back itself', async () => {
  const factory = { create: async () => new DatabaseSync(':memory:') }
  prepareConnections({ kind: 'sqlite', pools: { _factory: factory } })
  const connection = await factory.create()
  connection.exec('CREATE TABLE t (a PRIMARY KEY)')
  connection.exec('BEGIN')
  connection.exec('INSERT INTO t VALUES (1)')
  expect(() => connection.exec('INSERT OR ROLLBACK INTO t VALUES (1)')).toThrow('UNIQUE')
  connection.exec('ROLLBACK')
  connection.exec('BEGIN')
  connection.exec('INSERT INTO t VALUES (2)')
  connection.exec('ROLLBACK')
  expect(connection.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 })
  connection.close()
})

it('tells a database that refuses connections from an ERP that does', async () => {
  const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const factory = { create: () => Promise.reject(refused()) }
  prepareConnections({ kind: 'postgres', pools: { _factory: factory } })
  const fault = await factory.create().catch((error: unknown) => error)
  expect(toDatabaseRefusal(fault)).toMatchObject({ code: 'database_unavailable' })
  const ofErp = refused()
  expect(toDatabaseRefusal(ofErp)).toBe(ofErp)
})

it.each([
  [{ code: '53300', message: 'sorry, too many clients already' }],
  [{ message: 'Pool resource could not be acquired within 15s' }],
  [{ message: 'Connection terminated unexpectedly' }],
])('takes %j for a database that cannot be used', (fault) => {
  expect(toDatabaseRefusal(Object.assign(new Error(), fault))).toMatchObject({
    code: 'database_unavailable',
  })
})
