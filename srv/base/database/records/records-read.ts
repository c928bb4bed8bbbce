import type { AnyRecord, RecordKind, RecordOf } from '../../../../adapters/records.ts'
import { type DeletionGuard, digestOf, guardDeletion, type Target } from './target.ts'
import { markAllForProposal, type MarkedPair, markForProposal } from '../proposal-marks.ts'
import { type Table, type TableKind as Kind, TABLES } from './tables.ts'
import { markRegrouped } from './mark-planned.ts'
import { Identities, renameSku } from './rename-sku.ts'
import {
  type AnyRow,
  LeadTimes,
  MeasuredMonths,
  MeasuredValues,
  OrderPromises,
  Learnt,
  PlannedEvents,
  QuarantinedRows,
  Snapshots,
  Sources,
  StockDays,
  StockHistories,
  StreamStates,
  readAs,
} from '../entities.ts'
import { takeNumbers } from '../counters.ts'
import { insertRows, upsertRows } from '../native/bulk.ts'
import { inChunks } from '../rows.ts'
import { readLocalDays } from '../../time/days.ts'

/** Kinds that affect proposals. Each row has a SKU and, unless it is about a SKU as such, a location. */
const DECIDING: readonly RecordKind[] = [
  'skus',
  'planning',
  'stock',
  'batches',
  'openOrders',
  'customerOrders',
  'reservations',
  'drafts',
  'priceBreaks',
]

/** Kinds of which any row may affect any proposal. */
const FOR_ALL: readonly RecordKind[] = ['supplierTerms', 'closures']

/** Decimals of restock.Money. */
const MONEY_DIGITS = 4
const MONEY: readonly string[] = [
  ...['unitCost', 'minimumOrderValue', 'freeFreightFrom', 'freightCost', 'orderCost'],
]

/**
 * A running read of records. It compares rows with the stored ones and writes only differences. A
 * whole read loads all stored rows first, and at the end deletes those that it has not met.
 */
export class RecordsRead implements Target {
  readonly #source: number
  readonly #kind: Kind
  readonly #table: Table
  readonly #read: number
  /** The generation that readers see; null before the first snapshot, and for tables without generations. */
  readonly #generation: number | null
  /** The stored rows by key, both as JSON; a digest of the values where nothing else is needed. */
  #stored = new Map<string, string | number>()
  /** Stored keys that a whole read has not met yet; null in other reads. */
  #unmet: Set<string> | null
  /** SKUs whose group has changed. */
  readonly #regrouped: string[] = []
  /** Keys of visible rows that a row of the new generation replaces. */
  readonly #replaced = new Set<string>()
  /** What the ERP knows the stored SKUs by; undefined until it says so of one. */
  #identities: Identities | undefined
  /** The day up to which periods have begun at some location; only of lists of periods. */
  readonly #today: string

  private constructor(
    source: number,
    kind: Kind,
    { read, whole }: { read: number; whole: boolean },
    generation: number | null,
    today: string,
  ) {
    this.#source = source
    this.#today = today
    this.#kind = kind
    this.#table = TABLES[kind]
    this.#read = read
    this.#generation = generation
    this.#unmet = whole ? new Set() : null
  }

  /** Begins a read, and deletes rows that an interrupted one has left behind. */
  static async begin(source: number, kind: Kind, reading: { read: number; whole: boolean }) {
    const { generations, entity, ofPeriods } = TABLES[kind]
    const generation = generations ? await visibleGeneration(source, kind) : null
    const today = ofPeriods ? (await readLocalDays(source)).last : ''
    const records = new RecordsRead(source, kind, reading, generation, today)
    if (generations) {
      const unseen = { source_ID: source, generation: { '!=': generation ?? -1 } }
      await DELETE.from(entity).where(unseen)
    }
    if (reading.whole) {
      await records.#load()
      records.#unmet = new Set(records.#stored.keys())
    }
    return records
  }

  storedKeys(): Record<string, string>[] {
    const rows = [...this.#stored].map(([key, values]) => this.#rowOf(key, values))
    return rows as Record<string, string>[]
  }

  isEmptied(fewest: number): boolean {
    return this.#stored.size >= fewest && this.#unmet?.size === this.#stored.size
  }

  /** Upserts records by their natural key, in the caller's transaction. */
  async write(page: { records: AnyRecord[]; deleted?: AnyRow[]; kept?: AnyRow[] }) {
    for (const key of page.kept ?? []) this.#unmet?.delete(this.#keyOf(key))
    const deleted = await this.#deleteNamed(page.deleted ?? [])
    const rows = this.#ahead(page.records)
    if (this.#kind === 'skus') await this.#rename(rows as RecordOf<'skus'>[])
    const [first] = this.#table.key
    if (!this.#unmet && rows.length) {
      await this.#load({ [first!]: { in: [...new Set(rows.map((row) => row[first!]))] } })
    }
    const added: AnyRow[] = []
    const changed: AnyRow[] = []
    const before: AnyRow[] = []
    for (const row of rows) {
      const key = this.#keyOf(row)
      const values = this.#valuesOf(row)
      const stored = this.#stored.get(key)
      this.#unmet?.delete(key)
      if (stored === values) continue
      this.#stored.set(key, values)
      const old = stored === undefined ? null : this.#rowOf(key, stored)
      if (this.#kind === 'skus' && (old?.skuGroup ?? null) !== (row.skuGroup ?? null))
        this.#regrouped.push(String(row.sku))
      if (!old) {
        added.push(row)
        continue
      }
      changed.push(row)
      this.#replaced.add(key)
      before.push(old)
    }
    const upserted = added.length + changed.length
    if (upserted) {
      await this.#mark([...added, ...changed, ...before])
      await this.#insert(added)
      await this.#upsert(changed)
    }
    return { upserted, unchanged: page.records.length - upserted, deleted }
  }

  /**
   * Ends a whole read: deletes the rows that it has not met, and makes its changes visible together.
   * @returns the number of deleted rows
   * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
   */
  async finish(guard: DeletionGuard): Promise<number> {
    await markRegrouped(this.#source, this.#regrouped)
    if (!this.#unmet) return 0
    const gone = [...this.#unmet]
    // Forecasts of the ERP may change completely from one day to the next.
    const isGuarded = !this.#table.generations && !this.#table.ofPeriods
    if (isGuarded) guardDeletion(gone.length, this.#stored.size, guard)
    await this.#mark(gone.map((key) => this.#rowOf(key, this.#stored.get(key)!)))
    await this.#delete([...gone, ...(this.#table.generations ? this.#replaced : [])])
    if (this.#table.generations) await this.#publish()
    return gone.length
  }

  /** Has SKUs that the ERP calls otherwise than before called so here too, with all that is stored of them. */
  async #rename(rows: readonly RecordOf<'skus'>[]) {
    if (!rows.some(({ identity }) => identity)) return
    this.#identities ??= await Identities.load(this.#source)
    for (const { from, to } of this.#identities.renamings(rows)) {
      await renameSku(this.#source, { from, to })
      const [before, now] = [from, to].map((sku) => JSON.stringify([sku]))
      const values = this.#stored.get(before!)
      if (values !== undefined) this.#stored.set(now!, values)
      this.#stored.delete(before!)
      if (this.#unmet?.delete(before!)) this.#unmet.add(now!)
    }
  }

  async #load(where: AnyRow = {}) {
    const { entity, key, values } = this.#table
    const rows = await readAs<AnyRow>(
      SELECT.from(entity)
        .columns(...key, ...values)
        .where({ ...this.#visible(), ...where }),
    )
    this.#stored = new Map(rows.map((row) => [this.#keyOf(row), this.#valuesOf(row)]))
  }

  #visible(): AnyRow {
    const { generations, ofPeriods } = this.#table
    return {
      source_ID: this.#source,
      ...(generations && { generation: this.#generation ?? -1 }),
      ...(ofPeriods && { firstDay: { '>': this.#today } }),
    }
  }

  /** The rows without periods that have begun. */
  #ahead(rows: AnyRow[]): AnyRow[] {
    if (!this.#table.ofPeriods) return rows
    return rows.filter(({ firstDay }) => String(firstDay) > this.#today)
  }

  #keyOf(row: AnyRow): string {
    return JSON.stringify(this.#table.key.map((column) => row[column]))
  }

  #valuesOf(row: AnyRow): string | number {
    const values = this.#table.values.map((column) => storable(column, row[column]))
    const json = JSON.stringify(values)
    return this.#isDeciding ? json : digestOf(json)
  }

  get #isDeciding(): boolean {
    return DECIDING.includes(this.#kind)
  }

  /** The row of a key; with its values only if they affect proposals. */
  #rowOf(key: string, values: string | number): AnyRow {
    const all = JSON.parse(key) as unknown[]
    if (typeof values === 'string') all.push(...(JSON.parse(values) as unknown[]))
    const columns = [...this.#table.key, ...this.#table.values]
    return Object.fromEntries(all.map((value, at): [string, unknown] => [columns[at]!, value]))
  }

  async #mark(rows: AnyRow[]) {
    if (this.#kind === 'exchangeRates' && rows.length) await takeNumbers('exchangeRates')
    if (FOR_ALL.includes(this.#kind) && rows.length) await markAllForProposal(this.#source)
    if (!rows.length || !this.#isDeciding) return
    await markForProposal(this.#source, rows as object[] as MarkedPair[])
  }

  async #insert(rows: AnyRow[]) {
    const { entity, datesRows } = this.#table
    const addedAt = datesRows && new Date().toISOString()
    await insertRows(entity, this.#stamped(rows, addedAt ? { addedAt } : {}))
  }

  async #upsert(rows: AnyRow[]) {
    const { entity, key, generations } = this.#table
    const keys = ['source_ID', ...(generations ? ['generation'] : []), ...key]
    // Of a key that came twice the last row counts.
    const last = new Map(rows.map((row) => [this.#keyOf(row), row]))
    await upsertRows(entity, keys, this.#stamped([...last.values()]))
  }

  #stamped(rows: AnyRow[], more: AnyRow = {}): AnyRow[] {
    const { generations, ofPeriods } = this.#table
    const stamp = {
      ...{ source_ID: this.#source, ...more },
      ...(ofPeriods && { readOn: this.#today, p50: null }),
      ...(generations && { generation: this.#read }),
    }
    return rows.map((row) => ({ ...stamp, ...row }))
  }

  async #publish() {
    const { entity } = this.#table
    const source_ID = this.#source
    if (this.#generation === null) {
      const visible = { source_ID, record: this.#kind, generation: this.#read }
      await UPSERT.into(Snapshots).entries(visible)
      return
    }
    await UPDATE.entity(entity)
      .set({ generation: this.#generation })
      .where({ source_ID, generation: this.#read })
  }

  /** Deletes visible rows by their keys. */
  async #delete(keys: string[]) {
    const { entity, key: columns } = this.#table
    const [first, ...others] = columns
    const parsed = keys.map((key) => JSON.parse(key) as unknown[])
    for (const those of Map.groupBy(parsed, (key) => JSON.stringify(key.slice(1))).values()) {
      const rest = Object.fromEntries(others.map((column, at) => [column, those[0]![at + 1]]))
      for (const chunk of inChunks(those)) {
        const some = { in: chunk.map(([value]) => value) }
        await DELETE.from(entity).where({ ...this.#visible(), [first!]: some, ...rest })
      }
    }
  }

  /** Deletes the rows that the ERP has reported as deleted. @returns how many there were */
  async #deleteNamed(keys: AnyRow[]): Promise<number> {
    const { entity } = this.#table
    let deleted = 0
    for (const key of this.#ahead(keys)) {
      const where = { ...this.#visible(), ...key }
      await this.#mark(await SELECT.from(entity).where(where))
      deleted += await DELETE.from(entity).where(where)
    }
    return deleted
  }
}

/** A value as the database gives it back; amounts of money as numbers. */
function storable(column: string, value: unknown) {
  if (value === null || value === undefined) return null
  return MONEY.includes(column) ? Number(Number(value).toFixed(MONEY_DIGITS)) : value
}

/** Which snapshot of a list readers see; null before it was ever read whole. */
export async function visibleGeneration(source: number, record: Kind): Promise<number | null> {
  const row = await SELECT.one
    .from(Snapshots)
    .columns('generation')
    .where({ source_ID: source, record })
  return row?.generation ?? null
}

/** Removes all that was read from a source, e.g. when its connection is deleted. */
export async function removeRecords(source: number) {
  for (const { entity } of Object.values(TABLES))
    await DELETE.from(entity).where({ source_ID: source })
  await takeNumbers('exchangeRates')
  await DELETE.from(Snapshots).where({ source_ID: source })
  await DELETE.from(StockHistories).where({ source_ID: source })
  await DELETE.from(StockDays).where({ source_ID: source })
  await DELETE.from(PlannedEvents).where({ source_ID: source })
  await DELETE.from(StreamStates).where({ source_ID: source })
  await DELETE.from(LeadTimes).where({ source_ID: source })
  await DELETE.from(OrderPromises).where({ source_ID: source })
  await DELETE.from(MeasuredMonths).where({ source_ID: source })
  await DELETE.from(MeasuredValues).where({ source_ID: source })
  await DELETE.from(Learnt).where({ source_ID: source })
  await DELETE.from(QuarantinedRows).where({ source_ID: source })
  await UPDATE.entity(Sources).set({ dataAsOf: null }).where({ ID: source })
}
