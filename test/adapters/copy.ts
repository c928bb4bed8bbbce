// What a store would hold of a company that an adapter reads, and how that differs from the company.
import type { Adapter, Connection, Page, Stream } from '../../adapters/adapter.ts'
import { RECORDS } from '../../adapters/records.ts'
import type { RecordKind, RecordOf } from '../../adapters/records.ts'
import type { Company } from '../../sandbox/company/company.ts'
import { truthOf } from '../../sandbox/company/truth.ts'

type Row = Record<string, unknown>

export class Copy {
  readonly quarantined: Page['quarantined'] = []
  readonly #adapter: Adapter
  readonly #connection: Connection
  readonly #tables = new Map<RecordKind, Map<string, Row>>()
  readonly #cursors = new Map<RecordKind, string>()

  constructor(adapter: Adapter, connection: Connection) {
    this.#adapter = adapter
    this.#connection = connection
  }

  /** Reads all streams, from where they stand or from the beginning. */
  async sync(mode: 'full' | 'incremental' = 'incremental'): Promise<this> {
    for (const stream of this.#adapter.streams(this.#connection)) await this.#syncOne(stream, mode)
    return this
  }

  rows<K extends RecordKind>(record: K): RecordOf<K>[] {
    return [...(this.#tables.get(record)?.values() ?? [])] as RecordOf<K>[]
  }

  async #syncOne(stream: Stream, mode: 'full' | 'incremental'): Promise<void> {
    const { record } = stream
    const since = mode === 'full' ? null : (this.#cursors.get(record) ?? null)
    const before = this.#tables.get(record) ?? new Map<string, Row>()
    const isNew = stream.cursor === 'snapshot' || since === null
    const table = isNew ? new Map<string, Row>() : before
    let pages = 0
    const stored = async () => [...before.values()] as Record<string, string>[]
    for await (const page of stream.read(since, new AbortController().signal, stored)) {
      pages++
      for (const each of page.records) table.set(keyOf(record, each), each)
      this.quarantined.push(...page.quarantined)
      this.#cursors.set(record, page.cursor)
    }
    // A snapshot without a page says that nothing was changed.
    if (pages) this.#tables.set(record, table)
  }
}

function keyOf(record: RecordKind, each: object): string {
  const row = each as Row
  if (record === 'demand') return String(row.document)
  return RECORDS[record].key.map((field) => String(row[field])).join('\n')
}

/** Every record that the copy holds otherwise than the company, as readable lines. */
export function differences(copy: Copy, company: Company): string[] {
  const truth = truthOf(company)
  return [
    ...compare(
      'skus',
      copy.rows('skus').map(({ sku, name, unit, purchasable: isActive }) => ({
        ...{ sku, name, unit, isActive },
      })),
      truth.skus,
    ),
    ...compare(
      'locations',
      copy.rows('locations').map(({ location }) => location),
      truth.locations,
    ),
    // What has no stock and never moved is not known to every ERP.
    ...compare(
      'stock',
      copy.rows('stock').map(stockLine).filter(isThere),
      truth.stock.filter(isThere),
    ),
    ...compare(
      'openOrders',
      copy.rows('openOrders').map(orderLine),
      truth.openOrders.map(orderLine),
    ),
    ...compare(
      'customerOrders',
      copy.rows('customerOrders').map(orderLine),
      truth.customerOrders.map(orderLine),
    ),
    ...compare('demand', demandOf(copy), truth.demand),
  ]
}

const stockLine = ({ sku, location, onHand, backorders = 0 }: RecordOf<'stock'>) => ({
  ...{ sku, location, onHand, backorders },
})

const isThere = ({ onHand, backorders }: { onHand: number; backorders: number }) =>
  onHand !== 0 || backorders !== 0

interface OrderLine {
  document: string
  sku: string
  location: string
  quantity: number
  due: string | null
}

/** ERPs number lines differently. */
const orderLine = ({ document, sku, location, quantity, due }: OrderLine) => ({
  ...{ document, sku, location, quantity, due },
})

function demandOf(copy: Copy) {
  const byDocument = new Map(copy.rows('demand').map((row) => [row.document, row]))
  const days = new Map<string, { sku: string; location: string; date: string; quantity: number }>()
  for (const row of byDocument.values()) {
    const { sku, location, reversalOf } = row
    const date = (reversalOf ? byDocument.get(reversalOf) : row)?.date ?? row.date
    const key = `${sku}\n${location}\n${date}`
    const sum = days.get(key) ?? { sku, location, date, quantity: 0 }
    sum.quantity += row.quantity
    days.set(key, sum)
  }
  return [...days.values()].filter(({ quantity }) => quantity !== 0)
}

function compare(name: string, is: readonly unknown[], should: readonly unknown[]): string[] {
  const [has, wants] = [
    is.map((row) => JSON.stringify(row)),
    should.map((row) => JSON.stringify(row)),
  ]
  const [hasSet, wantsSet] = [new Set(has), new Set(wants)]
  return [
    ...has.filter((row) => !wantsSet.has(row)).map((row) => `${name}: ${row} is not so`),
    ...wants.filter((row) => !hasSet.has(row)).map((row) => `${name}: ${row} is missing`),
    ...(has.length === wants.length ? [] : [`${name}: ${has.length} rows, not ${wants.length}`]),
  ]
}
