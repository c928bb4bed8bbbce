// What crosses to the reading thread and back stays what it was.
import { MessageChannel } from 'node:worker_threads'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import type { RecordOf } from '../../../adapters/records.ts'
import {
  DemandPacker,
  packDemand,
  transferable,
} from '../../../srv/base/database/demand/columns.ts'
import { DemandBatch } from '../../../srv/base/database/demand/demand-batch.ts'
import { answerQuestions, ask } from '../../../srv/domain/sync/reading/pages.ts'

type Demand = RecordOf<'demand'>

const record = (sku: string, date: string, more: Partial<Demand> = {}): Demand => ({
  ...{ sku, location: 'L1', date, quantity: 1, price: null, promo: null },
  ...more,
})

describe('demand in columns', () => {
  it('gives the rows back, in the order of their key, of a repeated key the last', () => {
    const batch = new DemandBatch(
      packDemand([
        record('B', '2026-01-02', { document: '2/1', price: 3.5, promo: true }),
        record('A', '2026-01-03', { document: '3/1' }),
        record('A', '2026-01-02', { document: '1/1', quantity: 4, promo: false }),
        record('A', '2026-01-03', { document: '3/1', quantity: 9 }),
        record('A', '2026-01-02'),
      ]),
      [8, 7],
    )
    const rows = batch.sorted()
    const all = Array.from({ length: rows.length }, (_, at) => rows.at(at))
    expect(all).toEqual([
      { series: 7, date: '2026-01-02', document: '', quantity: 1, price: null, promo: null },
      { series: 7, date: '2026-01-02', document: '1/1', quantity: 4, price: null, promo: false },
      { series: 8, date: '2026-01-02', document: '2/1', quantity: 1, price: 3.5, promo: true },
      { series: 7, date: '2026-01-03', document: '3/1', quantity: 9, price: null, promo: null },
    ])
  })

  it('keeps reversals apart', () => {
    const reversal = record('A', '2026-01-05', { document: '2/1', reversalOf: '1/1', quantity: -1 })
    const batch = new DemandBatch(packDemand([reversal, record('A', '2026-01-02')]), [1])
    expect(batch.sorted()).toMatchObject({ length: 1 })
    expect(batch.reversals()).toMatchObject([{ document: '2/1', original: '1/1', quantity: -1 }])
  })

  it('names each pair once in a read, over all its parts', () => {
    const packer = new DemandPacker()
    packer.add([record('A', '2026-01-02'), record('B', '2026-01-02')])
    expect(packer.take()).toMatchObject({ firstPair: 0, skus: ['A', 'B'] })
    packer.add([record('B', '2026-01-03'), record('C', '2026-01-04')])
    const second = packer.take()
    expect(second).toMatchObject({ firstPair: 2, skus: ['C'], days: ['2026-01-03', '2026-01-04'] })
    expect([...second.pairs]).toEqual([1, 2])
  })

  it('grows, and goes over to another thread', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => record(`S${at}`, '2026-01-02'))
    const columns = packDemand(many)
    expect(columns).toMatchObject({ length: 20_000 })
    const copy = structuredClone(columns, { transfer: transferable(columns) })
    expect(copy.pairs.at(-1)).toBe(19_999)
    expect(columns.pairs).toHaveLength(0)
  })
})

describe('a question across threads', () => {
  const answering = async (answer: () => Promise<unknown>) => {
    const { port1, port2 } = new MessageChannel()
    answerQuestions(port1, answer)
    try {
      return await ask(port2, 'header', AbortSignal.timeout(5_000))
    } finally {
      port1.close()
    }
  }

  it('is answered', async () => {
    expect(await answering(() => Promise.resolve('Basic x'))).toBe('Basic x')
  })

  it.each([
    new Fatal('reconsent_required', 'Consent anew.', 'client_id'),
    new Retriable('Later.', 500),
  ])('fails as the answer has failed: %p', async (error) => {
    const failed = answering(() => Promise.reject(error))
    await expect(failed).rejects.toBeInstanceOf(error.constructor)
    await expect(failed).rejects.toMatchObject({ ...error, message: error.message })
  })
})
