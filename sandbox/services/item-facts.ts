// Computes a line of a material document from its position.
import { ISSUE_LINES, RETURN_CANCEL_LAG } from '../world/day-ledger.ts'
import { yearOf } from '../world/days.ts'
import { mix } from '../world/hash.ts'
import { CANCELS } from '../world/movement-types.ts'
import { COURSES, EVENTS } from '../world/courses.ts'
import { BLOCK_PAIRS } from '../world/pairs.ts'
import { PlaceFinder } from './document-place.ts'
import type { Group } from '../world/day-ledger.ts'
import type { Day } from '../world/days.ts'
import type { AddedItem } from '../world/added-documents.ts'
import type { World } from '../world/world.ts'

const ISSUE_TYPES = ['201', '261', '551', '251', '221']
/** The movement type of a goods issue document; mostly 601, goods issue for a delivery. */
export function issueType(day: Day, doc: number): string {
  return ISSUE_TYPES[(doc * 7 + day) % 25] ?? '601'
}

/** The values of the loaded line. */
export class ItemFacts {
  readonly #world: World
  readonly #place: PlaceFinder
  readonly #today: Day
  year = ''
  document = ''
  line = 0
  pair = 0
  type = ''
  milli = 0
  storageLocation = '101A'
  receivingLocation = ''
  receivingPlant = -1
  isAutomatic = false
  cancelled = false
  reversedYear = ''
  reversedDocument = ''
  reversedLine = ''
  order = ''
  orderItem = ''
  /** Number of the delivery without its padding; 0 for none. */
  delivery = 0
  /** Replaces the values above for a line that a change has added. */
  added: AddedItem | null = null
  #document = -1
  #documentDay = -1
  #documentBlock: unknown = null

  constructor(world: World) {
    this.#world = world
    this.#place = new PlaceFinder(world.book, 'items')
    this.#today = world.clock.today()
  }

  load(slot: number): void {
    const place = this.#place
    if (!place.find(slot)) {
      this.#loadAdded(this.#world.book.addedItem(place.block, slot))
      return
    }
    this.added = null
    this.storageLocation = '101A'
    this.receivingLocation = ''
    this.receivingPlant = -1
    this.isAutomatic = false
    this.cancelled = false
    this.reversedYear = ''
    this.reversedDocument = ''
    this.reversedLine = ''
    this.order = ''
    this.orderItem = ''
    this.delivery = 0
    const { group } = place
    switch (group.kind) {
      case 'issue':
        return this.#issue(place.day, place.index)
      case 'return':
        return this.#return(place.day, place.index)
      case 'transfer':
        return this.#transfer(place.day, place.index)
      case 'cancel':
        return this.#cancel(group, place.index)
      case 'cancelReturn':
        return this.#cancelReturn(group, place.index)
      case 'receipt':
        return this.#receipt(group, place.day, place.index)
    }
  }

  #name(doc: number, line: number): void {
    const place = this.#place
    const index = place.docsBefore + doc
    this.line = line
    if (
      index !== this.#document ||
      place.day !== this.#documentDay ||
      place.block !== this.#documentBlock
    ) {
      this.#document = index
      this.#documentDay = place.day
      this.#documentBlock = place.block
      const range = place.block.range as 'issuing' | 'receiving'
      this.year = String(place.block.year)
      this.document = this.#world.book.number(range, place.day, index)
    }
    if (this.#world.added.cancelled.size > 0) {
      const key = `${this.year}/${this.document}/${line}`
      this.cancelled = this.#world.added.cancelled.has(key)
    }
  }

  #issue(day: Day, index: number): void {
    const doc = Math.floor(index / ISSUE_LINES)
    this.#name(doc, (index % ISSUE_LINES) + 1)
    this.#sold(day, index, doc)
    const lag = this.#world.ledgers.cancelLag(day, doc)
    if (lag !== null && day + lag < this.#today) this.cancelled = true
  }

  #sold(day: Day, index: number, doc: number): void {
    const { demand } = this.#world
    const plan = demand.day(day)
    this.pair = demand.pairOfLine(plan, index)
    this.milli = demand.quantity(plan, day, index, this.pair)
    this.type = issueType(day, doc)
    if (this.type === '601') this.delivery = this.#world.deliveryNumber(day, doc)
  }

  #return(day: Day, index: number): void {
    this.#name(index, 1)
    this.#returned(day, index)
    if (
      this.#world.ledgers.isReturnCancelled(day, index) &&
      day + RETURN_CANCEL_LAG < this.#today
    ) {
      this.cancelled = true
    }
  }

  #returned(day: Day, index: number): void {
    const { demand, pairs, seed } = this.#world
    const h = mix(seed, day, index, 71)
    this.pair = pairs.byRank[h % Math.max(1, demand.fast)]!
    this.milli = demand.meanMilli(this.pair) * (1 + ((h >>> 20) % 3))
    this.type = h & 1 ? '651' : '653'
  }

  /** A transfer has two lines: one for the issuing, one for the receiving plant or storage location. */
  #transfer(day: Day, index: number): void {
    const { demand, pairs, seed } = this.#world
    const doc = index >> 1
    const second = (index & 1) === 1
    this.#name(doc, second ? 2 : 1)
    const h = mix(seed, day, doc, 72)
    const blocks = pairs.count / BLOCK_PAIRS
    const from = (h % blocks) * BLOCK_PAIRS
    const between = (h >>> 16) % 3 !== 0
    this.pair = second && between ? from + 1 : from
    this.milli = demand.meanMilli(from)
    this.type = between ? '641' : '311'
    this.isAutomatic = second
    const other = second ? from : from + 1
    this.receivingPlant = pairs.plantOf(between ? other : from)
    this.storageLocation = second ? (between ? '' : '101B') : '101A'
    this.receivingLocation = second ? '101A' : between ? '' : '101B'
  }

  #cancel(group: Extract<Group, { kind: 'cancel' }>, index: number): void {
    const at = Math.floor(index / ISSUE_LINES)
    const line = (index % ISSUE_LINES) + 1
    this.#name(at, line)
    const doc = group.first + at * group.step
    this.#sold(group.of, doc * ISSUE_LINES + line - 1, doc)
    this.type = CANCELS[this.type]!
    this.#reverse('issuing', group.of, doc, line)
  }

  #cancelReturn(group: Extract<Group, { kind: 'cancelReturn' }>, index: number): void {
    this.#name(index, 1)
    const doc = group.first + index * group.step
    this.#returned(group.of, doc)
    this.type = CANCELS[this.type]!
    this.#reverse('issuing', group.of, this.#world.ledgers.issues(group.of) + doc, 1)
  }

  #receipt(group: Extract<Group, { kind: 'receipt' }>, day: Day, index: number): void {
    const { orders, book } = this.#world
    const event = EVENTS[group.event]!
    const at = Math.floor(index / event.lines)
    const line = index % event.lines
    this.#name(at, line + 1)
    const m = group.first + at * COURSES.length
    this.pair = orders.calendar.pairOf(group.of, m, line)
    this.milli = orders.moved(group.of, m, line, event)
    this.type = event.type
    this.order = orders.calendar.numberOf(group.of, m)
    this.orderItem = `000${line + 1}0`
    const { reverses } = event
    if (reverses !== undefined) {
      const of = group.of + EVENTS[reverses]!.after
      const doc = receiptsBefore(book, of, reverses) + at
      this.#reverse('receiving', of, doc, line + 1)
      return
    }
    const taken = event.reversedBy === undefined ? undefined : EVENTS[event.reversedBy]
    if (taken && day - event.after + taken.after < this.#today) this.cancelled = true
  }

  #reverse(range: 'issuing' | 'receiving', day: Day, doc: number, line: number): void {
    this.reversedYear = String(yearOf(day))
    this.reversedDocument = this.#world.book.number(range, day, doc)
    this.reversedLine = String(line).padStart(4, '0')
  }

  #loadAdded(item: AddedItem): void {
    this.added = item
    this.#document = -1
    this.year = String(item.document.year)
    this.document = item.document.number
    this.line = item.line
    this.type = item.type
    this.milli = item.milli
    this.storageLocation = item.storageLocation
    this.receivingLocation = ''
    this.receivingPlant = -1
    this.isAutomatic = item.isAutomatic
    this.order = item.order
    this.orderItem = item.orderItem
    this.delivery = 0
    const [year = '', document = '', line = ''] = item.reverses.split('/')
    this.reversedYear = year
    this.reversedDocument = document
    this.reversedLine = line && line.padStart(4, '0')
    const key = `${this.year}/${this.document}/${this.line}`
    this.cancelled = this.#world.added.cancelled.has(key)
  }
}

function receiptsBefore(book: World['book'], day: Day, event: number): number {
  const { groups } = book.sums('receiving').ledgers[day - book.start]!
  return groups.slice(0, event).reduce((sum, { docs }) => sum + docs, 0)
}
