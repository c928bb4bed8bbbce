// What every adapter owes the service: docs in adapters/adapter.ts. An adapter's test file calls
// `adapterConformance` with accounts of its own making.
import type { Adapter, Connection, Page, Stream } from '../../adapters/adapter.ts'
import { Fatal } from '../../adapters/errors.ts'
import { RECORDS } from '../../adapters/records.ts'
import type { AnyRecord, RecordKind, RecordOf } from '../../adapters/records.ts'
import { httpConformance } from './adapter-http.ts'
import type { HttpFixture } from './adapter-http.ts'

const MAX_PAGE_ROWS = 5_000
const MAX_EXCERPT = 500

export interface AdapterFixture {
  adapter: Adapter
  /** An account with records of every kind that the adapter reads, one of them in several pages. */
  healthy(): Promise<Connection>
  /** As healthy, but for one row of one kind of record. */
  oneBadRow(): Promise<{ connection: Connection; record: RecordKind }>
  /** An account in which one kind of record has no rows. */
  noRows(): Promise<{ connection: Connection; record: RecordKind }>
  /** An account that can never be read, and the code that says why. */
  unreadable(): Promise<{ connection: Connection; code: string }>
  /** The ERP's HTTP side, or why there is none. */
  http: HttpFixture | { notFor: string }
}

/** Defines the shared tests for one adapter. */
export function adapterConformance(fixture: AdapterFixture) {
  const { adapter } = fixture
  const healthyStreams = async () => adapter.streams(await fixture.healthy())

  describe(`${adapter.type} as an adapter`, () => {
    it('delivers records that fit their schemas', async () => {
      for (const stream of await healthyStreams()) {
        const { schema } = RECORDS[stream.record]
        const records = recordsOf(await readAll(stream))
        expect(records.length).toBeGreaterThan(0)
        for (const record of records) expect(schema.parse(record)).toEqual(record)
      }
    })

    it('delivers each key once', async () => {
      for (const stream of await healthyStreams()) {
        const keys = recordsOf(await readAll(stream)).map((record) => keyOf(stream, record))
        expect(new Set(keys).size).toBe(keys.length)
      }
    })

    it('delivers the same set when read twice', async () => {
      for (const stream of await healthyStreams()) {
        expect(setOf(stream, await readAll(stream))).toEqual(setOf(stream, await readAll(stream)))
      }
    })

    it('keeps pages small and reports its progress', async () => {
      let severalPages = false
      for (const stream of await healthyStreams()) {
        let done = 0
        const pages = await readAll(stream)
        severalPages ||= pages.length > 1
        for (const { records, quarantined, progress } of pages) {
          expect(records.length + quarantined.length).toBeLessThanOrEqual(MAX_PAGE_ROWS)
          expect(progress.done).toBeGreaterThanOrEqual(done)
          done = progress.done
          if (progress.total !== null) expect(done).toBeLessThanOrEqual(progress.total)
        }
      }
      expect(severalPages).toBe(true)
    })

    it('loses nothing when it resumes from the cursor of any page', async () => {
      for (const stream of await healthyStreams()) {
        const pages = await readAll(stream)
        const whole = setOf(stream, pages)
        for (const [index, { cursor }] of pages.entries()) {
          const others = await readAll(stream, cursor)
          const before = stream.cursor === 'snapshot' ? [] : pages.slice(0, index + 1)
          const nothingChanged = stream.cursor === 'snapshot' && others.length === 0
          if (nothingChanged) expect(index).toBe(pages.length - 1)
          else expect(setOf(stream, [...before, ...others])).toEqual(whole)
        }
      }
    })

    it('stops where it is aborted', async () => {
      for (const stream of await healthyStreams()) {
        const reason = new Error('stopped')
        await expect(readAll(stream, null, AbortSignal.abort(reason))).rejects.toThrow('stopped')
        if ((await readAll(stream)).length === 1) continue
        const controller = new AbortController()
        const interrupted = async () => {
          const pages = stream.read(null, controller.signal)[Symbol.asyncIterator]()
          await pages.next()
          controller.abort(reason)
          while (!(await pages.next()).done);
        }
        await expect(interrupted()).rejects.toThrow('stopped')
      }
    })

    it('delivers an empty page with a cursor where there are no rows', async () => {
      const { connection, record } = await fixture.noRows()
      const pages = await readAll(streamOf(adapter, connection, record))
      expect(pages.length).toBeGreaterThan(0)
      expect(recordsOf(pages)).toEqual([])
      expect(pages.at(-1)!.cursor).not.toBe('')
    })

    it('skips one bad row and delivers the others', async () => {
      const { connection, record } = await fixture.oneBadRow()
      const pages = await readAll(streamOf(adapter, connection, record))
      const quarantined = pages.flatMap((page) => page.quarantined)
      expect(quarantined).toHaveLength(1)
      const [{ code, place, message, excerpt }] = quarantined as [(typeof quarantined)[0]]
      expect(code).toMatch(/^[a-z][a-z_]+$/)
      expect(place).not.toBe('')
      expect(message).not.toBe('')
      expect(excerpt.length).toBeLessThanOrEqual(MAX_EXCERPT)
      const healthy = streamOf(adapter, await fixture.healthy(), record)
      expect(recordsOf(pages)).toHaveLength(recordsOf(await readAll(healthy)).length - 1)
    })

    it('says with a stable code that an account can never be read', async () => {
      const { connection, code } = await fixture.unreadable()
      const read = async () => {
        for (const stream of adapter.streams(connection)) await readAll(stream)
      }
      const error = await read().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Fatal)
      expect(error).toMatchObject({ code })
    })

    it('checks every stream of a healthy account as readable', async () => {
      const connection = await fixture.healthy()
      const checks = await adapter.check(connection, new AbortController().signal)
      const records = adapter.streams(connection).map(({ record }) => record)
      expect(checks).toMatchObject(
        records.map((record) => ({ record, status: 'ok', message: null })),
      )
      const needed = adapter.neededRights(connection)
      for (const { rights } of checks) expect(needed).toEqual(expect.arrayContaining(rights ?? []))
    })

    it('names the rights that it needs, and refuses options that it does not know', async () => {
      const rights = adapter.neededRights(await fixture.healthy())
      expect(rights.length).toBeGreaterThan(0)
      expect(adapter.options.safeParse({ no_such_option: '1' }).success).toBe(false)
    })

    httpConformance(fixture.http, async () => {
      const streams = await healthyStreams()
      return async () => {
        for (const stream of streams) await readAll(stream)
      }
    })
  })
}

/** All pages of one reading. */
export async function readAll<K extends RecordKind>(
  stream: Stream<K>,
  since: string | null = null,
  signal = new AbortController().signal,
): Promise<Page<K>[]> {
  const pages: Page<K>[] = []
  for await (const page of stream.read(since, signal)) pages.push(page)
  return pages
}

/** All records of one kind, of a whole reading. */
export async function readRecords<K extends RecordKind>(
  adapter: Adapter,
  connection: Connection,
  record: K,
): Promise<RecordOf<K>[]> {
  const pages = await readAll(streamOf(adapter, connection, record))
  return recordsOf(pages) as RecordOf<K>[]
}

export function streamOf(adapter: Adapter, connection: Connection, record: RecordKind): Stream {
  return adapter.streams(connection).find((stream) => stream.record === record)!
}

const recordsOf = (pages: Page[]): AnyRecord[] => pages.flatMap(({ records }) => records)

function keyOf({ record: kind }: Stream, record: AnyRecord): string {
  const values = record as Record<string, unknown>
  const fields = [...RECORDS[kind].key, ...(kind === 'demand' ? ['document'] : [])]
  return JSON.stringify(fields.map((field) => values[field]))
}

/** Records by key, the last one standing as an upsert would have it. */
function setOf(stream: Stream, pages: Page[]): Map<string, AnyRecord> {
  return new Map(recordsOf(pages).map((record) => [keyOf(stream, record), record]))
}
