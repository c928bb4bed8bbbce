// What links to next pages lead to: servers have been seen to link to the same page, or to nothing, for ever.
import { Fatal, Retriable } from '../errors.ts'
import type { WirePage } from './client.ts'

/** Pages without rows that are followed one after the other; a server that filters behind its paging gives some. */
const MOST_EMPTY = 100
/** Of the smallest pages that servers give, twenty rows, these are two million rows. */
const MOST_PAGES = 100_000

/** The links of one read. */
export class Links {
  readonly #set: string
  readonly #seen = new Set<string>()
  #empty = 0
  /** The ends of the page before, as text: what a server that overlooks where a page begins gives again. */
  #ends = ''

  constructor(set: string) {
    this.#set = set
  }

  /**
   * To be called with each page before its link is followed.
   * @throws Retriable where the ERP gives the same page again, or page after page of nothing
   * @throws Fatal where there is no end of pages
   */
  follow(url: URL, { rows, next }: WirePage<unknown>): void {
    this.#seen.add(url.href)
    if (!next) return
    const ends = rows.length ? JSON.stringify([rows.length, rows[0], rows.at(-1)]) : ''
    if (this.#seen.has(next.href) || (ends && ends === this.#ends))
      throw new Retriable(`The ERP gives the same page of ${this.#set} again and again.`)
    this.#ends = ends
    this.#empty = rows.length ? 0 : this.#empty + 1
    refuseEmpty(this.#empty, this.#set)
    if (this.#seen.size >= MOST_PAGES)
      throw new Fatal('unexpected_content', `${this.#set} has more than ${MOST_PAGES} pages.`)
  }
}

/** @param pages without a row, one after the other, each with a link to the next @throws Retriable */
export function refuseEmpty(pages: number, set: string): void {
  if (pages < MOST_EMPTY) return
  throw new Retriable(`The ERP gives ${MOST_EMPTY} pages of ${set} without a row, and links on.`)
}
