// A sandbox ERP for a test, and what the adapter reads from it beside what it should.
import type { Connection, Page, Stream } from '../../../adapters/adapter.ts'
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { s4hanaAdapter } from '../../../adapters/s4hana/index.ts'
import { startErp } from '../../../sandbox/index.ts'
import type { Erp, ErpOptions, TruthOptions } from '../../../sandbox/index.ts'

export const NOW = '2026-11-20T06:00:00Z'
export const adapter = s4hanaAdapter()

/** Small, and standing still in time. */
export const startSmallErp = (options: ErpOptions = {}): Promise<Erp> =>
  startErpOf({ size: 70, days: 40, ...options })

/** Of this size, and standing still in time. */
export const startErpOf = (options: ErpOptions): Promise<Erp> =>
  startErp({ now: NOW, seed: 3, ...options })

export const connectionTo = (erp: Erp, options: Record<string, unknown> = {}): Connection => ({
  account: erp.url,
  role: 'Z_RESTOCK_READ',
  baseUrl: null,
  options: { auth: 'basic', history_days: 60, ...options },
  credentials: { authorization: async () => erp.basic },
})

export const streamOf = <K extends RecordKind>(connection: Connection, record: K): Stream<K> =>
  adapter.streams(connection).find((stream) => stream.record === record) as unknown as Stream<K>

export async function pagesOf<K extends RecordKind>(
  stream: Stream<K>,
  since: string | null = null,
  signal = new AbortController().signal,
): Promise<Page<K>[]> {
  const pages: Page<K>[] = []
  for await (const page of stream.read(since, signal)) pages.push(page)
  return pages
}

/** What a store would hold: records by key, demand by document line, reversals on their original's day. */
export class Copy {
  readonly skus = new Map<string, RecordOf<'skus'>>()
  readonly planning = new Map<string, RecordOf<'planning'>>()
  readonly stock = new Map<string, RecordOf<'stock'>>()
  readonly openOrders = new Map<string, RecordOf<'openOrders'>>()
  readonly customerOrders = new Map<string, RecordOf<'customerOrders'>>()
  readonly reservations = new Map<string, RecordOf<'reservations'>>()
  readonly demand = new Map<string, RecordOf<'demand'>>()
  readonly cursors = new Map<RecordKind, string>()
  readonly quarantined: Page['quarantined'] = []
  readonly notes: string[] = []
  readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Reads all streams, from where they stand or from the beginning. */
  async sync(mode: 'full' | 'incremental' = 'incremental'): Promise<this> {
    for (const stream of adapter.streams(this.connection)) await this.syncOne(stream, mode)
    return this
  }

  async syncOne(stream: Stream, mode: 'full' | 'incremental' = 'incremental'): Promise<void> {
    const since = mode === 'full' ? null : (this.cursors.get(stream.record) ?? null)
    const table = this.#tableOf(stream.record)
    const keys = [...(table?.values() ?? [])] as Record<string, string>[]
    const before = new Map(table)
    if (stream.cursor === 'snapshot' || since === null) table?.clear()
    const { signal } = new AbortController()
    for await (const page of stream.read(since, signal, async () => keys)) {
      for (const key of page.kept ?? []) {
        const name = keyOf(stream.record, key)
        if (!table?.has(name)) table?.set(name, before.get(name))
      }
      this.take(stream.record, page)
    }
  }

  take(record: RecordKind, { records, quarantined, deleted, cursor, notes }: Page): void {
    this.notes.push(...(notes ?? []))
    for (const key of deleted ?? []) this.demand.delete(key.document!)
    const table = this.#tableOf(record)
    for (const each of records) table?.set(keyOf(record, each), each)
    this.quarantined.push(...quarantined)
    this.cursors.set(record, cursor)
  }

  #tableOf(record: RecordKind): Map<string, unknown> | undefined {
    return (this as unknown as Record<string, Map<string, unknown>>)[record]
  }

  /** Demand by `sku\nlocation`, then by day. */
  demandByDay(): Map<string, Map<string, number>> {
    const pairs = new Map<string, Map<string, number>>()
    for (const record of this.demand.values()) {
      const original = record.reversalOf ? this.demand.get(record.reversalOf) : record
      if (!original) continue
      const key = pairKey(record)
      const days = pairs.get(key) ?? new Map<string, number>()
      pairs.set(key, days)
      const sum = (days.get(original.date) ?? 0) + record.quantity
      days.set(original.date, Math.round(sum * 1000) / 1000)
    }
    return pairs
  }
}

/** Stock in transfer, which is no order of the ERP's, and the orders. */
const partition = (rows: RecordOf<'openOrders'>[]) =>
  [rows.find((row) => !isOrder(row)), rows.filter(isOrder)] as const

export const isOrder = ({ document }: RecordOf<'openOrders'>): boolean =>
  !document.startsWith('StockInTransfer(')

const pairKey = ({ sku, location }: { sku: string; location: string }) => `${sku}\n${location}`

function keyOf(record: RecordKind, each: object): string {
  const { document, line, sku, location, supplier } = each as Record<string, string>
  if (record === 'demand') return document!
  if (['openOrders', 'customerOrders', 'reservations'].includes(record))
    return `${document}/${line}`
  return [sku ?? supplier, location].filter((part) => part).join('\n')
}

/** Every field of every pair that the copy holds otherwise than the ERP's truth, as readable lines. */
export function differences(copy: Copy, erp: Erp, options: TruthOptions = {}): string[] {
  const wrong: string[] = []
  const demand = copy.demandByDay()
  const orders = Map.groupBy(copy.openOrders.values(), pairKey)
  const customerOrders = Map.groupBy(copy.customerOrders.values(), pairKey)
  let pairs = 0
  for (const truth of erp.truth(options)) {
    pairs++
    const key = pairKey(truth)
    const [planning, stock, sku] = [
      copy.planning.get(key),
      copy.stock.get(key),
      copy.skus.get(truth.sku),
    ]
    const compare = (name: string, is: unknown, should: unknown) => {
      if (JSON.stringify(is) !== JSON.stringify(should)) {
        wrong.push(
          `${key.replace('\n', ' ')} ${name}: ${JSON.stringify(is)}, not ${JSON.stringify(should)}`,
        )
      }
    }
    compare('unit', sku?.unit, truth.unit)
    compare('skuGroup', sku?.skuGroup, truth.skuGroup)
    compare('onHand', stock?.onHand, truth.onHand)
    compare('backorders', stock?.backorders ?? 0, truth.backorders)
    compare('inInspection', stock?.inInspection, truth.inInspection)
    compare('blocked', stock?.blocked, truth.blocked)
    compare('inTransit', stock?.inTransit, truth.inTransit)
    compare('leadTimeDays', planning?.leadTimeDays, truth.leadTimeDays)
    compare('moq', planning?.moq, truth.moq)
    compare('lotSize', planning?.lotSize, truth.lotSize)
    compare('supplier', planning?.supplier, truth.supplier)
    compare('unitCost', planning?.unitCost, truth.unitCost)
    compare('currency', planning?.currency, truth.currency)
    compare('purchasable', planning?.purchasable && sku?.purchasable, truth.purchasable)
    const [inTransfer, ordered] = partition(orders.get(key) ?? [])
    compare('inTransfer', inTransfer?.quantity ?? 0, truth.inTransfer)
    const open = ordered.map(({ document, line, quantity, due, reference }) => ({
      ...{ order: document, item: line.split('/')[0], scheduleLine: line.split('/')[1] },
      ...{ quantity, due, reference },
    }))
    compare('openOrders', open, truth.openOrders)
    const wanted = (customerOrders.get(key) ?? []).map(({ document, line, quantity, due }) => ({
      ...{ order: document, item: line.split('/')[0], scheduleLine: line.split('/')[1] },
      ...{ quantity, due },
    }))
    compare('customerOrders', wanted, truth.customerOrders)
    const days = [...(demand.get(key) ?? [])]
      .filter(([, quantity]) => quantity !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, quantity]) => ({ date, quantity }))
    compare('demand', days, truth.demand)
  }
  if (copy.planning.size !== pairs) wrong.push(`${copy.planning.size} pairs, not ${pairs}`)
  if (copy.stock.size !== pairs) wrong.push(`${copy.stock.size} stocks, not ${pairs}`)
  return wrong
}

/** The differences after an incremental read, which cannot find removed products; the next full one does. */
export const differencesButVanished = (copy: Copy, erp: Erp, options?: TruthOptions) =>
  differences(copy, erp, options).filter((each) => !/^\d+ pairs, not/.test(each))
