// What a store would hold of what an adapter reads, to be compared with a company of the sandbox.
import type { Adapter, Connection, Page, Stream } from '../../adapters/adapter.ts'
import type { RecordKind, RecordOf } from '../../adapters/records.ts'
import { RECORDS } from '../../adapters/records.ts'
import type { Company } from '../../sandbox/company/company.ts'
import { truthOf } from '../../sandbox/company/truth.ts'

type Rows = Record<string, unknown>

export class Store {
  readonly quarantined: Page['quarantined'] = []
  readonly #tables = new Map<RecordKind, Map<string, Rows>>()
  readonly #cursors = new Map<RecordKind, string>()
  readonly #adapter: Adapter
  readonly #connection: Connection

  constructor(adapter: Adapter, connection: Connection) {
    this.#adapter = adapter
    this.#connection = connection
  }

  async sync(mode: 'full' | 'incremental' = 'incremental'): Promise<this> {
    for (const stream of this.#adapter.streams(this.#connection)) await this.#read(stream, mode)
    return this
  }

  all<K extends RecordKind>(record: K): RecordOf<K>[] {
    return [...this.#table(record).values()] as RecordOf<K>[]
  }

  async #read(stream: Stream, mode: 'full' | 'incremental'): Promise<void> {
    const { record } = stream
    const since = mode === 'full' ? null : (this.#cursors.get(record) ?? null)
    const before = this.#table(record)
    const keys = [...before.values()] as Record<string, string>[]
    const isWhole = stream.cursor === 'snapshot' || since === null
    const table = isWhole ? new Map<string, Rows>() : before
    const { signal } = new AbortController()
    for await (const page of stream.read(since, signal, async () => keys)) {
      for (const key of page.deleted ?? []) table.delete(keyOf(record, key))
      for (const each of page.records) table.set(keyOf(record, each), each)
      this.quarantined.push(...page.quarantined)
      this.#cursors.set(record, page.cursor)
    }
    this.#tables.set(record, table)
  }

  #table(record: RecordKind): Map<string, Rows> {
    const table = this.#tables.get(record) ?? new Map<string, Rows>()
    this.#tables.set(record, table)
    return table
  }
}

/** An order of which a base unit costs 1.80 EUR, less its discount of a tenth. @returns its number */
export function orderAtPrice(company: Company): string {
  const pair = company.pairs.find(({ item }) => item.isActive)!
  const lines = [{ pair, quantity: pair.item.moq, dueInDays: 5 }]
  const order = company.order(pair.item.supplier, lines)
  company.changeLine(order, order.lines[0]!, { price: '2', discount: 10 })
  return order.number
}

function keyOf(record: RecordKind, row: Rows): string {
  if (record === 'demand') return String(row.document)
  return RECORDS[record].key.map((field) => String(row[field])).join('\n')
}

export interface Comparison {
  /** How the ERP calls a document of the company. */
  documentOf?: (number: string) => string
}

/** Every difference between the store and the company, as a readable line; what a line is called is up to the ERP. */
export function differences(store: Store, company: Company, comparison: Comparison = {}): string[] {
  const { documentOf = (number) => number } = comparison
  const truth = truthOf(company)
  const bySku = (row: { sku: string }) => row.sku
  const byPair = (row: { sku: string; location: string }) => `${row.sku} ${row.location}`
  const byLine = (row: { document: string; sku: string; location: string; due: string | null }) =>
    [row.document, row.sku, row.location, row.due].join(' ')
  const named = <T extends { document: string }>(rows: T[]) =>
    rows.map((row) => ({ ...row, document: documentOf(row.document) }))
  return [
    ...compare('sku', bySku, store.all('skus'), truth.skus, (row) => [
      ...('purchasable' in row ? [row.name, row.unit, row.purchasable] : []),
      ...('isActive' in row ? [row.name, row.unit, row.isActive] : []),
    ]),
    ...compare(
      ...(['stock', byPair, store.all('stock'), truth.stock] as const),
      ({ onHand, backorders }) => [onHand, backorders ?? 0],
    ),
    ...compareSums('open order', byLine, store.all('openOrders'), named(truth.openOrders)),
    ...compareSums(
      'customer order',
      byLine,
      store.all('customerOrders'),
      named(truth.customerOrders),
    ),
    ...compareSums('demand', (row) => `${byPair(row)} ${row.date}`, daysOf(store), truth.demand),
  ]
}

/** Demand by day; what takes a sale back counts on the day of the sale. */
function daysOf(store: Store) {
  const all = store.all('demand')
  const dates = new Map(all.map(({ document, date }) => [document, date]))
  return all.map((row) => ({ ...row, date: dates.get(row.reversalOf) ?? row.date }))
}

function compareSums<T extends { quantity: number }, U extends { quantity: number }>(
  name: string,
  keyOfRow: (row: T | U) => string,
  have: T[],
  want: U[],
): string[] {
  const sum = (rows: (T | U)[]) => {
    const sums = new Map<string, number>()
    for (const row of rows) {
      const key = keyOfRow(row)
      sums.set(key, Math.round(((sums.get(key) ?? 0) + row.quantity) * 1000) / 1000)
    }
    return [...sums]
      .filter(([, quantity]) => quantity)
      .map(([key, quantity]) => ({ key, quantity }))
  }
  return compare(
    name,
    ({ key }) => key,
    sum(have),
    sum(want),
    ({ quantity }) => [quantity],
  )
}

function compare<T, U>(
  name: string,
  keyOfRow: (row: T | U) => string,
  have: T[],
  want: U[],
  valuesOf: (row: T | U) => unknown[],
): string[] {
  const found = new Map(have.map((row) => [keyOfRow(row), JSON.stringify(valuesOf(row))]))
  const wrong: string[] = []
  for (const row of want) {
    const [key, should] = [keyOfRow(row), JSON.stringify(valuesOf(row))]
    if (found.get(key) !== should) wrong.push(`${name} ${key}: ${found.get(key)}, not ${should}`)
    found.delete(key)
  }
  return [...wrong, ...[...found].map(([key, is]) => `${name} ${key}: ${is}, which is not there`)]
}
