import { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { jest } from '@jest/globals'
import PostgresService from '@cap-js/postgres'
import {
  beginLate,
  limitWaiting,
  prepareConnections,
} from '../../../srv/base/cap/connection-pool.ts'

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

describe('of PostgreSQL', () => {
  let now: jest.SpiedFunction<typeof performance.now>
  beforeEach(() => {
    now = jest.spyOn(performance, 'now').mockReturnValue(0)
  })
  afterEach(() => now.mockRestore())

  const pass = (milliseconds: number) => now.mockReturnValue(performance.now() + milliseconds)
  const never = new Promise<never>(() => {})
  const AWAY = { name: 'DatabaseAway' }

  /** A service whose pool does this; it notes with what priority it was asked. */
  function prepared(give: () => Promise<unknown>) {
    const priorities: number[] = []
    const pool = {
      acquire: (priority: number) => {
        priorities.push(priority)
        return give()
      },
    }
    const factory = { options: {}, create: async () => ({}) }
    const service = { kind: 'postgres', pools: { _factory: factory }, pool, acquire, set: acquire }
    prepareConnections(service)
    return { service, priorities }
  }

  const inCall = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) =>
      limitWaiting(null as never, null as never, () => void work().then(resolve, reject)),
    )

  it('are waited for by a call as long as for one, however many it needs', async () => {
    const delays = [3_000, 3_000, 0]
    const { service, priorities } = prepared(async () => {
      const delay = delays.shift()
      if (delay === undefined) return never
      pass(delay)
    })
    await inCall(async () => {
      for (let i = 0; i < 3; i++) await service.acquire()
      await expect(service.acquire()).rejects.toMatchObject(AWAY)
    })
    expect(priorities).toEqual([2, 1, 1, 1])
  })

  it('are refused to calls that have not begun while the first of them has waited half its time', async () => {
    const first = Promise.withResolvers<object>()
    const gifts = [Promise.resolve({}), first.promise]
    const { service } = prepared(() => gifts.shift() ?? Promise.resolve({}))
    await inCall(async () => {
      await service.acquire()
      const waiting = inCall(() => service.acquire())
      pass(2_501)
      await expect(inCall(() => service.acquire())).rejects.toMatchObject(AWAY)
      await service.acquire()
      first.resolve({})
      await waiting
      await inCall(() => service.acquire())
    })
  })
})

/** CAP's stream of a long value, as the driver meets it. */
interface ValueStream extends Writable {
  submit(connection: object): void
  handleCopyInResponse(): void
  handleError(error: Error): void
}

it('of PostgreSQL may be lost while a long value is written, which fails the statement alone', async () => {
  const wire = { stream: new Duplex({ write: (_chunk, _encoding, done) => done() }) }
  const query = (value: unknown) => {
    if (!(value instanceof Writable)) return Promise.resolve()
    const stream = value as ValueStream
    stream.submit({ ...wire, query: () => {}, sendCopyFail: () => {} })
    setImmediate(() => {
      stream.handleCopyInResponse()
      stream.handleError(new Error('Connection terminated unexpectedly'))
    })
    return stream
  }
  const factory = { options: {}, create: async () => ({ query, on: () => {} }) }
  prepareConnections({ kind: 'postgres', pools: { _factory: factory }, acquire, set: acquire })
  const dbc = await factory.create()
  const service = { dbc, _getValues: (values: unknown) => values }
  const statement = { text: 'INSERT $1', name: 'long', _streams: 0 }
  const long = Object.assign(Readable.from(['a long', ' value']), { type: 'json' })
  const { prototype } = PostgresService
  const written = prototype._prepareStreams.call(service as never, statement, [long])
  await expect(written).rejects.toThrow('Connection terminated unexpectedly')
  await sleep(20)
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

describe('a transaction on PostgreSQL', () => {
  async function sent(...statements: (string | { text: string })[]) {
    const seen: unknown[] = []
    const connection = { query: (first: unknown) => Promise.resolve(void seen.push(first)) }
    beginLate(connection)
    for (const statement of statements) await connection.query(statement)
    return seen
  }
  const [read, write] = [{ text: 'SELECT 1' }, { text: 'UPDATE a SET b = 1' }]

  it('that only reads costs its reads', async () => {
    expect(await sent('BEGIN', read, read, 'COMMIT')).toEqual([read, read])
    expect(await sent('BEGIN', read, 'ROLLBACK', 'BEGIN', 'COMMIT')).toEqual([read])
  })

  it('begins with the first statement that is more', async () => {
    expect(await sent('BEGIN', read, write, read, 'COMMIT', read)).toEqual([
      ...[read, 'BEGIN', write, read, 'COMMIT', read],
    ])
    expect(await sent('BEGIN', write, 'ROLLBACK')).toEqual(['BEGIN', write, 'ROLLBACK'])
  })

  it.each([
    'SELECT a FROM b WHERE c = $1 FOR UPDATE',
    'SELECT a FROM b FOR UPDATE NOWAIT',
    'SELECT a FROM b FOR NO KEY UPDATE',
    'SELECT a\nFROM b\nFOR SHARE',
    'SELECT pg_advisory_xact_lock(1)',
    "SELECT nextval('a')",
    'WITH a AS (DELETE FROM b RETURNING c) SELECT * FROM a',
    'ANALYZE a',
  ])('begins with %j', async (locking) => {
    expect(await sent('BEGIN', locking, 'COMMIT')).toEqual(['BEGIN', locking, 'COMMIT'])
  })
})
