// Material documents added by changes, by year.
import { toMs } from './days.ts'
import type { Day } from './days.ts'

const FIRST_NUMBER = 5_100_000_000

export interface AddedItem {
  document: AddedDocument
  line: number
  sku: string
  plant: string
  storageLocation: string
  type: string
  /** Thousandths of the base unit. */
  milli: number
  unit: string
  /** `year/document/line` of the line that this one reverses; blank for none. */
  reverses: string
  order: string
  orderItem: string
  special: string
  isAutomatic: boolean
}

export interface AddedDocument {
  year: number
  number: string
  created: number
  posting: Day
  items: AddedItem[]
  /** Index of its first item among the year's items. */
  firstItem: number
}

export class AddedDocuments {
  readonly #byYear = new Map<number, { docs: AddedDocument[]; items: AddedItem[] }>()
  /** Lines reversed by an added document, as `year/document/line`. */
  readonly cancelled = new Set<string>()
  #count = 0

  count(): number {
    return this.#count
  }

  years(): number[] {
    return [...this.#byYear.keys()]
  }

  all(): AddedDocument[] {
    return [...this.#byYear.values()].flatMap(({ docs }) => docs)
  }

  amount(year: number): { docs: number; items: number } {
    const { docs = [], items = [] } = this.#byYear.get(year) ?? {}
    return { docs: docs.length, items: items.length }
  }

  document(year: number, index: number): AddedDocument {
    return this.#byYear.get(year)!.docs[index]!
  }

  item(year: number, index: number): AddedItem {
    return this.#byYear.get(year)!.items[index]!
  }

  /** @returns the new document with its number */
  add(created: number, posting: Day, lines: Omit<AddedItem, 'document' | 'line'>[]): AddedDocument {
    const year = new Date(toMs(posting)).getUTCFullYear()
    const place = this.#byYear.get(year) ?? { docs: [], items: [] }
    this.#byYear.set(year, place)
    const number = String(FIRST_NUMBER + place.docs.length)
    const firstItem = place.items.length
    const document: AddedDocument = { year, number, created, posting, items: [], firstItem }
    document.items = lines.map((line, i) => ({ ...line, document, line: i + 1 }))
    place.docs.push(document)
    place.items.push(...document.items)
    for (const { reverses } of lines) if (reverses) this.cancelled.add(reverses)
    this.#count++
    return document
  }
}
