import cds from '@sap/cds'
import { Counters, readAs, Syncs } from '../../../srv/base/database/entities.ts'
import '../../support/server.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

interface Row {
  name: string
  next: number
}

/** How often CAP has understood a query, which is the dear part of making its SQL. */
let made = 0
const database = cds as unknown as { db: { cqn4sql(query: object): object } }

beforeAll(async () => {
  const { cqn4sql } = database.db
  database.db.cqn4sql = function (this: object, query) {
    if (/restock\.Counters.*orderBy|UPDATE.*Counters.*kept/.test(JSON.stringify(query))) made++
    return cqn4sql.call(this, query)
  }
  const rows = Array.from({ length: 6 }, (_, at) => ({ name: `kept ${at}`, next: at }))
  await INSERT.into(Counters).entries(rows)
})

beforeEach(() => (made = 0))

const names = (rows: Row[]) => rows.map(({ name }) => name.replace('kept ', '')).join()

/** What `read` finds for each value, one after the other. */
async function each<T>(values: T[], read: (value: T) => Promise<Row[]>) {
  const found: string[] = []
  for (const value of values) found.push(names(await read(value)))
  return found
}

const ofKept = (where: object) =>
  readAs<Row>(
    SELECT.from(Counters)
      .where({ name: { like: 'kept %' }, ...where })
      .orderBy('name'),
  )

it('queries of one shape are made to SQL twice, however many come, and each reads by its own values', async () => {
  const read = (next: number) => ofKept({ next: { between: next, and: 4 } })
  expect(await each([3, 5, 0, 2, 9], read)).toEqual(['3,4', '', '0,1,2,3,4', '2,3,4', ''])
  expect(made).toBe(2)
})

it('a value that stands twice, limits, one row, and lists as long as each other', async () => {
  const around = (name: string) =>
    ofKept({ name: { '>=': name }, and: { name, or: { next: { '>': 4 } } } })
  expect(await each(['kept 1', 'kept 2', 'kept 5', 'kept 0'], around)).toEqual([
    '1,5',
    '2,5',
    '5',
    '0,5',
  ])
  const first = (rows: number) =>
    readAs<Row>(
      SELECT.from(Counters)
        .where({ name: { like: 'kept %' } })
        .orderBy('name')
        .limit(rows, 1),
    )
  expect(await each([1, 3, 2], first)).toEqual(['1', '1,2,3', '1,2'])
  const lists = [[1, 2], [3], [4, 5], [2], [0, 1, 2], [1, 5]]
  expect(await each(lists, (next) => ofKept({ next: { in: next } }))).toEqual([
    ...['1,2', '3', '4,5', '2', '0,1,2', '1,5'],
  ])
  for (const next of [2, 4, 3, 77]) {
    const row = await readAs<Row>(SELECT.one.from(Counters).where({ next, name: `kept ${next}` }))
    expect(row?.name).toBe(next === 77 ? undefined : `kept ${next}`)
  }
})

it('null, texts beside numbers, and quotes are told apart', async () => {
  expect(await each([1, null, 2, null, 3], (next) => ofKept({ next }))).toEqual([
    ...['1', '', '2', '', '3'],
  ])
  expect(await each(["kept'1", 'kept 1', "'; --", 'kept 2'], (name) => ofKept({ name }))).toEqual([
    ...['', '1', '', '2'],
  ])
})

it('times that are written otherwise, dates, and what inherits from another query are read as CAP does', async () => {
  const count = async (at: string | Date) => {
    const query = SELECT.from('restock.Events')
      .columns('count(*) as n')
      .where({ at: { '>': at } })
    const [row] = (await query) as unknown as { n: number }[]
    return Number(row!.n)
  }
  for (const year of ['1999', '2999', '1999', '2999']) {
    const times = [
      `${year}-01-01T00:00:00.000Z`,
      `${year}-01-01T00:00:00Z`,
      `${year}-01-01T01:00+01:00`,
    ]
    const counts = await Promise.all(times.map(count))
    expect(new Set([...counts, await count(new Date(`${year}-01-01`))]).size).toBe(1)
  }
  for (const next of [1, 2, 3]) {
    const query = SELECT.from(Counters).where({ next, name: { like: 'kept %' } })
    const other = (query as unknown as { clone(): typeof query }).clone()
    expect(names((await other) as never)).toBe(String(next))
  }
})

describe('what changes rows', () => {
  const nextOf = async () => {
    const rows = await ofKept({})
    return Object.fromEntries(rows.map(({ name, next }) => [name.replace('kept ', ''), next]))
  }

  it('sets its own values where its own conditions hold, also what adds to a number', async () => {
    const before = await nextOf()
    made = 0
    for (const at of [0, 1, 2, 3]) {
      const [name, next] = [`kept ${at}`, 100 + at]
      expect(await UPDATE.entity(Counters).set({ next }).where({ name })).toBe(1)
      expect(await UPDATE.entity(Counters).set({ next }).where({ name, next: at })).toBe(0)
      await UPDATE.entity(Counters)
        .set({ next: { '+=': 10 * at } })
        .where({ name })
    }
    // Once for each of the three, and once more by marks.
    expect(made).toBe(3)
    expect(await nextOf()).toEqual({ ...before, 0: 100, 1: 111, 2: 122, 3: 133 })
    for (const at of [0, 1, 2, 3])
      await UPDATE.entity(Counters)
        .set({ next: at })
        .where({ name: `kept ${at}` })
    expect(await nextOf()).toEqual(before)
  })

  it('tells nothing at all from a value, and keeps times, truths and texts as they are written', async () => {
    const ID = 990_001
    await INSERT.into(Syncs).entries({ ID })
    const written = [
      {
        phase: 'a',
        notes: '{"a":1}',
        startedAt: '2026-01-01T00:00:00.000Z',
        cancelRequested: true,
      },
      { phase: null, notes: null, startedAt: null, cancelRequested: false },
      { phase: "it's", notes: '[]', startedAt: '2026-02-01T00:00:00.500Z', cancelRequested: true },
      { phase: '', notes: '{}', startedAt: '2026-03-01T00:00:00Z', cancelRequested: true },
      {
        phase: 'b',
        notes: '{"a":2}',
        startedAt: '2026-04-01T00:00:00.000Z',
        cancelRequested: true,
      },
    ]
    const columns = ['phase', 'notes', 'startedAt', 'cancelRequested'] as const
    for (const row of [...written, ...written]) {
      await UPDATE.entity(Syncs).set(row).where({ ID })
      const [is] = await SELECT.from(Syncs)
        .columns(...columns)
        .where({ ID })
      const startedAt = row.startedAt && new Date(row.startedAt).toISOString()
      expect(is).toEqual({ ...row, startedAt })
    }
    await DELETE.from(Syncs).where({ ID })
  })

  it('deletes what it names', async () => {
    await INSERT.into(Counters).entries(
      ['x', 'y', 'z'].map((name, next) => ({ name: `gone ${name}`, next })),
    )
    const left = async () =>
      readAs<Row>(
        SELECT.from(Counters)
          .where({ name: { like: 'gone %' } })
          .orderBy('name'),
      )
    for (const [name, count] of [
      ['gone z', 2],
      ['gone a', 2],
      ['gone y', 1],
      ['gone x', 0],
    ] as const) {
      await DELETE.from(Counters).where({ name })
      expect(await left()).toHaveLength(count)
    }
  })
})
