import type { DocumentSource } from '../../../adapters/s4hana/demand/documents.ts'
import { documentStream } from '../../../adapters/s4hana/demand/stream.ts'
import { System } from '../../../adapters/s4hana/system.ts'
import type { Erp } from '../../../sandbox/index.ts'
import { connectionTo, Copy, NOW, pagesOf, startSmallErp, streamOf } from './support.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startSmallErp()
})
afterAll(() => erp.close())

const LINES = 12_000
const record = (line: number) => ({
  ...{ sku: `S-${line}`, location: '1010', date: '2026-11-18', quantity: 1 },
  ...{ price: null, promo: null, document: `80000001/${line}` },
})

/** One page with more lines than are stored at once, all of a document that was read before. */
const oneLargePage: DocumentSource = {
  reader: () =>
    async function* (slice) {
      if (slice.from > '2026-11-18' || slice.to < '2026-11-18') return
      yield {
        records: Array.from({ length: LINES }, (_, line) => record(line)),
        quarantined: [],
        deleted: [{ document: '80000001' }],
        ...{ after: null, documents: 1, newest: '2026-11-18' },
      }
    },
  today: async () => NOW.slice(0, 10),
  count: async () => null,
}

it('deletions come before the records that replace them', async () => {
  const stream = documentStream('demand', new System(connectionTo(erp)), oneLargePage)
  const since = JSON.stringify({ from: '2026-11-17', run: null })
  const pages = (await pagesOf(stream, since)).filter(({ records }) => records.length)
  expect(pages.map(({ records }) => records.length)).toEqual([5_000, 5_000, 2_000])
  expect(pages.map(({ deleted }) => deleted)).toEqual([
    [{ document: '80000001' }],
    undefined,
    undefined,
  ])
  expect(new Set(pages.slice(0, -1).map(({ cursor }) => cursor)).size).toBe(1)
})

it('a full read of deliveries reports no deletions, a later one those of each that it has read', async () => {
  const connection = connectionTo(erp, { demand: 'deliveries' })
  const copy = await new Copy(connection).sync('full')
  const whole = await pagesOf(streamOf(connection, 'demand'))
  expect(whole.flatMap(({ deleted }) => deleted ?? [])).toEqual([])
  const pages = await pagesOf(streamOf(connection, 'demand'), copy.cursors.get('demand'))
  const gone = new Set(
    pages.flatMap(({ deleted }) => (deleted ?? []).map(({ document }) => document)),
  )
  const read = pages.flatMap(({ records }) => records)
  expect(read.length).toBeGreaterThan(0)
  for (const { document } of read) expect(gone).toContain(document)
})
