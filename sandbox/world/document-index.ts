// Finds material documents by number. Each year and number range is a block; blocks are in key order, and days
// are in order within a block. Prefix sums give the day of a slot.
import { firstOfYear, yearOf } from './days.ts'
import type { Day } from './days.ts'
import type { DayLedger } from './day-ledger.ts'
import type { AddedItem, AddedDocuments } from './added-documents.ts'

export type Range = 'issuing' | 'receiving' | 'added'
const FIRST_NUMBER: Record<Range, number> = {
  issuing: 4_900_000_000,
  receiving: 5_000_000_000,
  added: 5_100_000_000,
}

/** Prefix sums of one range over the days of history. */
interface Sums {
  ledgers: DayLedger[]
  docs: number[]
  items: number[]
}

export interface Block {
  year: number
  range: Range
  /** Days [from, to) after the start of history; none for added documents. */
  from: number
  to: number
  docs: number
  items: number
  /** First slots of the block. */
  docSlot: number
  itemSlot: number
}

/** Position of a document or of one of its items. */
export interface Place {
  block: Block
  day: Day
  /** Index within the day. */
  index: number
  ledger: DayLedger
}

export class DocumentIndex {
  readonly start: Day
  readonly #today: () => Day
  readonly #make: Record<'issuing' | 'receiving', (day: Day) => DayLedger>
  readonly #sums: Record<'issuing' | 'receiving', Sums>
  readonly added: AddedDocuments
  /** For each day of history, the first day of its year within the history. */
  readonly #yearStarts: number[] = []
  #blocks: Block[] = []
  #blocksFor = ''

  constructor(
    start: Day,
    today: () => Day,
    make: Record<'issuing' | 'receiving', (day: Day) => DayLedger>,
    added: AddedDocuments,
  ) {
    this.start = start
    this.#today = today
    this.#make = make
    this.#sums = {
      issuing: { ledgers: [], docs: [0], items: [0] },
      receiving: { ledgers: [], docs: [0], items: [0] },
    }
    this.added = added
  }

  sums(range: 'issuing' | 'receiving'): Sums {
    const sums = this.#sums[range]
    const days = this.#today() - this.start
    for (let i = sums.ledgers.length; i < days; i++) {
      const ledger = this.#make[range](this.start + i)
      sums.ledgers.push(ledger)
      sums.docs.push(sums.docs[i]! + ledger.docs)
      sums.items.push(sums.items[i]! + ledger.items)
    }
    return sums
  }

  blocks(): Block[] {
    const key = `${this.#today()}/${this.added.count()}`
    if (this.#blocksFor !== key) {
      this.#blocks = this.#layOut()
      this.#blocksFor = key
    }
    return this.#blocks
  }

  #layOut(): Block[] {
    const today = this.#today()
    const years = new Set([...this.added.years(), yearOf(this.start), yearOf(today - 1)])
    const blocks: Block[] = []
    let docSlot = 0
    let itemSlot = 0
    for (let year = Math.min(...years); year <= Math.max(...years); year++) {
      const from = Math.max(0, firstOfYear(year) - this.start)
      const to = Math.max(from, Math.min(today, firstOfYear(year + 1)) - this.start)
      for (const range of ['issuing', 'receiving', 'added'] as const) {
        const { docs, items } = this.#amount(range, year, from, to)
        blocks.push({ year, range, from, to, docs, items, docSlot, itemSlot })
        docSlot += docs
        itemSlot += items
      }
    }
    return blocks
  }

  #amount(range: Range, year: number, from: number, to: number) {
    if (range === 'added') return this.added.amount(year)
    const { docs, items } = this.sums(range)
    return { docs: docs[to]! - docs[from]!, items: items[to]! - items[from]! }
  }

  total(of: 'docs' | 'items'): number {
    const last = this.blocks().at(-1)
    if (!last) return 0
    return of === 'docs' ? last.docSlot + last.docs : last.itemSlot + last.items
  }

  /** The number of a document; the sums must include its day. */
  number(range: 'issuing' | 'receiving', day: Day, index: number): string {
    const { docs } = this.#sums[range]
    const offset = day - this.start
    const from = (this.#yearStarts[offset] ??= Math.max(0, firstOfYear(yearOf(day)) - this.start))
    return String(FIRST_NUMBER[range] + docs[offset]! - docs[from]! + index)
  }

  /** The ledger of a day; the sums must include it. */
  ledger(range: 'issuing' | 'receiving', index: number): DayLedger {
    return this.#sums[range].ledgers[index]!
  }

  /** The block of a slot, which must exist. */
  blockOf(blocks: Block[], slot: number, of: 'docSlot' | 'itemSlot'): Block {
    let i = blocks.length - 1
    while (i > 0 && blocks[i]![of] > slot) i--
    return blocks[i]!
  }

  /** The day of a slot in a generated block: [day, first slot of the day, slot after its last]. */
  dayOf(block: Block, slot: number, of: 'docs' | 'items'): [number, number, number] {
    const sums = this.#sums[block.range as 'issuing' | 'receiving'][of]
    const shift = (of === 'docs' ? block.docSlot : block.itemSlot) - sums[block.from]!
    const wanted = slot - shift
    let low = block.from
    let high = block.to
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! <= wanted) low = middle
      else high = middle
    }
    return [low, sums[low]! + shift, sums[low + 1]! + shift]
  }

  /**
   * The slots of the documents (or items) of days [from, to], and of all that changes added.
   * @param only one number range; default both
   */
  slots(of: 'docs' | 'items', from: Day, to: Day, only?: Range): [number, number][] {
    return this.blocks()
      .filter(({ range }) => !only || range === only || range === 'added')
      .map((block): [number, number] => {
        const first = of === 'docs' ? block.docSlot : block.itemSlot
        if (block.range === 'added') return [first, first + block[of]]
        const sums = this.sums(block.range)[of]
        const low = Math.min(Math.max(from - this.start, block.from), block.to)
        const high = Math.min(Math.max(to + 1 - this.start, low), block.to)
        const shift = first - sums[block.from]!
        return [sums[low]! + shift, sums[high]! + shift]
      })
  }

  addedItem(block: Block, slot: number): AddedItem {
    return this.added.item(block.year, slot - block.itemSlot)
  }
}
