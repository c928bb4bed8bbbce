import fc from '../../support/properties.ts'
import type { Stream } from '../../../adapters/adapter.ts'
import type { Erp } from '../../../sandbox/index.ts'
import { adapter, connectionTo, Copy, differences, startSmallErp } from './support.ts'

const OPTIONS = { page_size: 60, document_page_size: 7, concurrency: 3 }
let erp: Erp
beforeAll(async () => {
  erp = await startSmallErp({ size: 100 })
})
afterAll(() => erp.close())

/** Reads on from where the copy stands, and stops as a killed service would. */
async function readSome(copy: Copy, stream: Stream, pages: number): Promise<boolean> {
  const since = copy.cursors.get(stream.record) ?? null
  let left = pages
  for await (const page of stream.read(since, new AbortController().signal)) {
    if (left-- === 0) return false
    copy.take(stream.record, page)
  }
  return true
}

describe('a read that is broken off again and again', () => {
  it.each(['skus', 'demand'])('ends with all %s', async (record) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3 }),
        async (kills) => {
          const connection = connectionTo(erp, OPTIONS)
          const stream = () => adapter.streams(connection).find((each) => each.record === record)!
          const copy = new Copy(connection)
          for (const pages of kills) {
            if (await readSome(copy, stream(), pages)) break
          }
          while (!(await readSome(copy, stream(), 1_000)));
          for (const each of adapter.streams(connection)) {
            if (each.record !== record) await copy.syncOne(each, 'full')
          }
          expect(differences(copy, erp)).toEqual([])
        },
      ),
      { numRuns: 8 },
    )
  })

  it('keeps its cursors short', async () => {
    const connection = connectionTo(erp, { ...OPTIONS, concurrency: 8 })
    for (const stream of adapter.streams(connection)) {
      for await (const { cursor } of stream.read(null, new AbortController().signal)) {
        expect(cursor.length).toBeLessThan(1_000)
      }
    }
  })

  it('finds what was created after it was broken off', async () => {
    const own = await startSmallErp({ size: 100 })
    const copy = new Copy(connectionTo(own, OPTIONS))
    const stream = () =>
      adapter.streams(connectionTo(own, OPTIONS)).find(({ record }) => record === 'demand')!
    await readSome(copy, stream(), 5)
    own.control.advance(3)
    const [pair] = [...own.truth()].filter(({ demand }) => demand.length)
    const { sku, location } = pair!
    own.control.change([{ kind: 'issue', sku, location, quantity: 5 }])
    await copy.sync()
    await copy.sync()
    expect(differences(copy, own)).toEqual([])
    await own.close()
  })
})
