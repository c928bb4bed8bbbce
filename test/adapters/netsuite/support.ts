// A NetSuite simulator for a test, and what the adapter reads from it beside what it should.
import type { Connection, Page, Stream } from '../../../adapters/adapter.ts'
import { netsuiteAdapter } from '../../../adapters/netsuite/index.ts'
import type { AnyRecord, RecordKind, RecordOf } from '../../../adapters/records.ts'
import { RECORDS } from '../../../adapters/records.ts'
import type { CompanyOptions } from '../../../sandbox/company/make-company.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { truthOf } from '../../../sandbox/company/truth.ts'
import { startNetsuite } from '../../../sandbox/netsuite/index.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'

export const adapter = netsuiteAdapter()

const started: NetsuiteErp[] = []

/** A small company of today: what is read is as old as its days. */
export async function startSmall(options: CompanyOptions = {}, timeZone?: string) {
  const company = makeCompany({ size: 60, days: 40, ...options })
  const erp = await startNetsuite(company, timeZone === undefined ? {} : { timeZone })
  started.push(erp)
  return erp
}

export const closeAll = async () => {
  for (const erp of started.splice(0)) await erp.close()
}

export const connectionTo = (
  erp: NetsuiteErp,
  options: Record<string, unknown> = {},
): Connection => ({
  ...{ account: erp.account, role: erp.role, baseUrl: erp.url, options },
  credentials: { authorization: async () => erp.header() },
})

export const streamOf = <K extends RecordKind>(connection: Connection, record: K): Stream<K> =>
  adapter.streams(connection).find((stream) => stream.record === record) as unknown as Stream<K>

/** What a store would hold: records by key, and where each stream goes on. */
export class Copy {
  readonly #tables = new Map<RecordKind, Map<string, AnyRecord>>()
  readonly #cursors = new Map<RecordKind, string>()
  readonly quarantined: Page['quarantined'] = []
  /** Rows that were delivered by the last sync, by stream. */
  readonly read = new Map<RecordKind, number>()
  connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  of<K extends RecordKind>(record: K): RecordOf<K>[] {
    return [...(this.#tables.get(record)?.values() ?? [])] as RecordOf<K>[]
  }

  async sync(mode: 'full' | 'incremental' = 'incremental'): Promise<this> {
    for (const stream of adapter.streams(this.connection)) await this.#syncOne(stream, mode)
    return this
  }

  async #syncOne(stream: Stream, mode: 'full' | 'incremental'): Promise<void> {
    const { record } = stream
    const since = mode === 'full' ? null : (this.#cursors.get(record) ?? null)
    const table = this.#tables.get(record) ?? new Map<string, AnyRecord>()
    this.#tables.set(record, table)
    if (stream.cursor === 'snapshot' || since === null) table.clear()
    let read = 0
    for await (const page of stream.read(since, new AbortController().signal)) {
      for (const key of page.deleted ?? []) table.delete(Object.values(key).join('\n'))
      for (const one of page.records) table.set(keyOf(record, one), one)
      this.quarantined.push(...page.quarantined)
      this.#cursors.set(record, page.cursor)
      read += page.records.length
    }
    this.read.set(record, read)
  }
}

function keyOf(record: RecordKind, one: AnyRecord): string {
  const values = one as Record<string, unknown>
  const fields: readonly string[] = record === 'demand' ? ['document'] : RECORDS[record].key
  return fields.map((field) => String(values[field])).join('\n')
}

/** Where the copy differs from what a correct sync has stored, as readable lines. */
export function differences(copy: Copy, { company }: NetsuiteErp): string[] {
  const truth = truthOf(company)
  const skus = new Set(truth.skus.map(({ sku }) => sku))
  return [
    ...compare(
      'skus',
      copy.of('skus').map(({ sku, name, unit, purchasable }) => ({
        ...{ sku, name, unit, isActive: purchasable },
      })),
      truth.skus,
    ),
    ...compare(
      'locations',
      copy.of('locations').map(({ location }) => location),
      truth.locations,
    ),
    ...compare(
      'stock',
      copy
        .of('stock')
        .filter(({ sku }) => skus.has(sku))
        .map(({ sku, location, onHand, backorders = 0 }) => ({
          sku,
          location,
          onHand,
          backorders,
        })),
      truth.stock,
    ),
    ...compare('openOrders', copy.of('openOrders').map(lineOf), truth.openOrders),
    ...compare('customerOrders', copy.of('customerOrders').map(lineOf), truth.customerOrders),
    ...compare('demand', demandOf(copy, skus), truth.demand),
  ]
}

const lineOf = ({ document, line, sku, location, quantity, due }: RecordOf<'customerOrders'>) => ({
  ...{ document, line, sku, location, quantity, due },
})

/** Demand by pair and day; the service drops that of products that are gone. */
function demandOf(copy: Copy, skus: ReadonlySet<string>) {
  const days = new Map<string, { sku: string; location: string; date: string; quantity: number }>()
  for (const { sku, location, date, quantity } of copy.of('demand')) {
    if (!skus.has(sku)) continue
    const key = [sku, location, date].join('\n')
    const day = days.get(key) ?? { sku, location, date, quantity: 0 }
    day.quantity += quantity
    days.set(key, day)
  }
  return [...days.values()].filter(({ quantity }) => quantity !== 0)
}

function compare(name: string, found: unknown[], expected: unknown[]): string[] {
  const text = (one: unknown) =>
    typeof one === 'string' ? one : JSON.stringify(one, Object.keys(one as object).sort())
  const [is, should] = [new Set(found.map(text)), new Set(expected.map(text))]
  return [
    ...(found.length === is.size ? [] : [`${name}: ${found.length - is.size} twice`]),
    ...[...should].filter((one) => !is.has(one)).map((one) => `${name}: lacks ${one}`),
    ...[...is].filter((one) => !should.has(one)).map((one) => `${name}: has ${one}`),
  ]
}
