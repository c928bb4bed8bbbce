// Which open purchase orders a later read asks for the lines of, and which stay as they are stored.
import type { Cursor, Page, StoredKeys } from '../../adapter.ts'
import { DISTANCE } from '../../odata/keys.ts'
import { packLines, unpackLines } from '../../rows/packed.ts'
import type { Batch } from '../../rows/pages.ts'
import type { OrderItemRow } from '../entities.ts'
import type { System } from '../system.ts'
import { firstState, orderChanges, type OrderChanges, type OrdersState } from './changed-orders.ts'
import {
  type Confirmations,
  type ConfirmedOf,
  findConfirmations,
  readConfirmed,
  withoutConfirmations,
} from './confirmations.ts'
import { CHANGED_HEADERS, itemKey } from './lines.ts'

/** The cursor. */
export interface PurchasesState extends OrdersState {
  /** Open items of which nothing is to come, packed. */
  none: string
  /** Confirmations changed at or after this instant; absent where none are read. */
  confirmations?: number
}

export const keyOf = (item: OrderItemRow) => itemKey(item.PurchaseOrder, item.PurchaseOrderItem)

type StoredLines = ReadonlyMap<string, Record<string, string>[]>

export class Purchases {
  /** Null where all lines are read. */
  readonly #changes: OrderChanges | null
  readonly #stored: StoredLines
  readonly #bad: ReadonlySet<string>
  readonly #received: ReadonlySet<string>
  readonly #none: Set<string>
  #confirmations: Confirmations
  readonly #next: Pick<OrdersState, 'changes' | 'documents'> | null
  readonly #stillBad = new Set<string>()
  readonly #open = new Set<string>()

  private constructor(
    before: PurchasesState | null,
    changes: OrderChanges | null,
    next: Pick<OrdersState, 'changes' | 'documents'> | null,
    stored: StoredLines,
    confirmations: Confirmations,
  ) {
    this.#changes = changes
    this.#confirmations = confirmations
    this.#next = next
    this.#stored = stored
    this.#bad = new Set(before?.bad)
    this.#none = new Set(changes ? unpackLines(before!.none) : [])
    const lines = changes?.documents.flatMap((document) => document.to_MaterialDocumentItem) ?? []
    this.#received = new Set(lines.flatMap(({ PurchaseOrder }) => PurchaseOrder || []))
  }

  /** It must be called before items are read. */
  static async read(
    system: System,
    version: 'v2' | 'v4',
    before: PurchasesState | null,
    stored: StoredKeys | undefined,
    signal: AbortSignal,
  ): Promise<Purchases> {
    const headers = CHANGED_HEADERS[version]
    const since = before?.confirmations ?? null
    const confirmations = await findConfirmations(system, since, signal)
    // Where confirmations are read now and were not before, or the other way round, all orders are read anew.
    const goesOn = (since === null) === (confirmations.next === null)
    const changes = before && goesOn ? await orderChanges(system, headers, before, signal) : null
    const next = changes?.next ?? (await firstState(system, headers, signal))
    const rows = changes ? await stored!() : []
    // The line of a record is `item/schedule line`.
    const byItem = Map.groupBy(rows, ({ document, line }) =>
      itemKey(document!, line!.slice(0, line!.lastIndexOf('/'))),
    )
    return new Purchases(before, changes, next, byItem, confirmations)
  }

  /** See {@link DISTANCE}. */
  get distance(): number {
    return this.#changes ? DISTANCE.consecutive : DISTANCE.dense
  }

  /** What suppliers have confirmed of the orders; nothing from where that may not be read, which the notes say. */
  async confirmedOf(
    system: System,
    orders: readonly string[],
    signal: AbortSignal,
  ): Promise<ConfirmedOf> {
    if (this.#confirmations.next === null) return () => undefined
    try {
      return await readConfirmed(system, orders, signal, this.distance)
    } catch (error) {
      this.#confirmations = withoutConfirmations(error)
      return () => undefined
    }
  }

  /** Each once. */
  takeNotes(): string[] {
    return this.#confirmations.notes.splice(0)
  }

  readonly isBad = ({ PurchaseOrder }: OrderItemRow): boolean => this.#bad.has(PurchaseOrder)

  /** The items whose lines have to be read, and the records of the others. */
  split(
    open: OrderItemRow[],
    inTurn: readonly OrderItemRow[],
  ): { items: OrderItemRow[]; kept: NonNullable<Page['kept']> } {
    for (const item of open) this.#open.add(keyOf(item))
    if (!this.#changes) return { items: open, kept: [] }
    const due = new Set([...inTurn, ...open.filter(this.#isDue)].map((item) => item.PurchaseOrder))
    const isDue = ({ PurchaseOrder }: OrderItemRow) => due.has(PurchaseOrder)
    const kept = open
      .filter((item) => !isDue(item))
      .flatMap((item) => this.#stored.get(keyOf(item)) ?? [])
      .map(({ document, line }) => ({ document: document!, line: line! }))
    return { items: open.filter(isDue), kept }
  }

  readonly #isDue = (item: OrderItemRow): boolean => {
    const { PurchaseOrder: order } = item
    const isKnown = this.#stored.has(keyOf(item)) || this.#none.has(keyOf(item))
    return (
      !isKnown ||
      this.#changes!.orders.has(order) ||
      this.#confirmations.orders.has(order) ||
      this.#received.has(order) ||
      this.isBad(item)
    )
  }

  /** Notes what has become of items. */
  note(items: readonly OrderItemRow[], { records, quarantined }: Batch<'openOrders'>): void {
    const some = new Set(
      records.map(({ document, line }) => itemKey(document, line.slice(0, line.lastIndexOf('/')))),
    )
    for (const item of items) {
      if (some.has(keyOf(item))) this.#none.delete(keyOf(item))
      else this.#none.add(keyOf(item))
    }
    // A place names the order first.
    for (const { place } of quarantined) this.#stillBad.add(/\(([^/)]+)/.exec(place)?.[1] ?? '')
  }

  /** @param turn the next turn begins after this item, or order */
  cursorWith(turn: string, more: object = {}): { cursor?: Cursor } {
    if (!this.#next) return {}
    const none = packLines([...this.#none].filter((key) => this.#open.has(key)))
    const bad = [...this.#stillBad]
    const { next } = this.#confirmations
    const state = {
      ...{ ...this.#next, turn: this.#changes ? turn : '', none, bad },
      ...(next !== null && { confirmations: next }),
    }
    return { cursor: JSON.stringify({ ...more, ...(state satisfies PurchasesState) }) }
  }
}
