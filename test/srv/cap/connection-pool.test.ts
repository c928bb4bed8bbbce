import { DatabaseSync } from 'node:sqlite'
import { jest } from '@jest/globals'
import { limitWaiting, prepareConnections } from '../../../srv/base/cap/connection-pool.ts'

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

it('of PostgreSQL are waited for by a call as long as for one, however many it needs', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0)
  /** A connection each that comes after so long, or never. */
  const delays = [3_000, 3_000, 0, Infinity]
  const pool = {
    acquire: (_priority: number) => {
      const delay = delays.shift()!
      if (delay === Infinity) return new Promise<never>(() => {})
      return Promise.resolve().then(() => void now.mockReturnValue(performance.now() + delay))
    },
  }
  const factory = { options: {}, create: async () => ({}) }
  const service = { kind: 'postgres', pools: { _factory: factory }, pool, acquire, set: acquire }
  prepareConnections(service)
  const call = () =>
    new Promise((resolve) => limitWaiting(null as never, null as never, () => resolve(inCall())))
  const inCall = async () => {
    for (let i = 0; i < 3; i++) await service.acquire()
    await expect(service.acquire()).rejects.toMatchObject({ name: 'DatabaseAway' })
  }
  await call()
  expect(delays).toEqual([])
  now.mockRestore()
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
