import { DatabaseSync } from 'node:sqlite'
import { prepareConnections } from '../../../srv/cap/connection-pool.ts'

const acquire = () => Promise.resolve({})

it.each([
  [1_000, 5_000],
  [60_000, 60_000],
])('of %d ms to wait for a connection it makes %d', (configured, expected) => {
  const factory = {
    options: { acquireTimeoutMillis: configured, max: 7 },
    create: async () => ({}),
  }
  prepareConnections({ kind: 'postgres', pools: { _factory: factory }, acquire, set: acquire })
  expect(factory.options).toMatchObject({ acquireTimeoutMillis: expected, max: 7 })
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
