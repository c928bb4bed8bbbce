import type { Block, DocumentIndex } from '../world/document-index.ts'
import type { DayLedger, Group } from '../world/day-ledger.ts'
import type { Day } from '../world/days.ts'

/** Finds the document or item of a slot; fast for consecutive slots. */
export class PlaceFinder {
  readonly #book: DocumentIndex
  readonly #of: 'docs' | 'items'
  block!: Block
  day: Day = 0
  ledger!: DayLedger
  group!: Group
  groupIndex = 0
  /** Index within the group. */
  index = 0
  /** Number of the day's documents before the group. */
  docsBefore = 0
  #from = 0
  #to = 0
  #groupFrom = 0
  #groupTo = 0
  /** The blocks when the read began; later changes do not affect it. */
  readonly #blocks: Block[]

  constructor(book: DocumentIndex, of: 'docs' | 'items') {
    this.#book = book
    this.#blocks = book.blocks()
    this.#of = of
  }

  /** False for a slot of added documents; then only `block` is valid. */
  find(slot: number): boolean {
    if ((slot < this.#from || slot >= this.#to) && !this.#findDay(slot)) return false
    if (slot < this.#groupFrom || slot >= this.#groupTo) this.#findGroup(slot)
    this.index = slot - this.#groupFrom
    return true
  }

  #findDay(slot: number): boolean {
    const first = this.#of === 'docs' ? 'docSlot' : 'itemSlot'
    this.block = this.#book.blockOf(this.#blocks, slot, first)
    if (this.block.range === 'added') {
      this.#to = this.#from
      return false
    }
    const [index, from, to] = this.#book.dayOf(this.block, slot, this.#of)
    this.#from = from
    this.#to = to
    this.#groupTo = -1
    this.day = this.#book.start + index
    this.ledger = this.#book.ledger(this.block.range, index)
    return true
  }

  #findGroup(slot: number): void {
    let at = this.#from
    let docs = 0
    for (const [i, group] of this.ledger.groups.entries()) {
      if (slot < at + group[this.#of]) {
        this.group = group
        this.groupIndex = i
        this.docsBefore = docs
        this.#groupFrom = at
        this.#groupTo = at + group[this.#of]
        return
      }
      at += group[this.#of]
      docs += group.docs
    }
  }
}
