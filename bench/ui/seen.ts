// How long from what somebody does to the frame that shows what it leads to, as the page itself tells: what a tool
// takes to find rows and to talk to the browser is in no figure.
import type { Page } from 'playwright-core'

/** Rows of a table that shows some. */
export const ROWS = 'tbody tr:not([id$="-nodata"]):has(> td.sapMListTblCell)'

const PATIENCE_MS = 60_000

/** Rows that are to be seen in the end, while nothing that is shown is busy. */
export interface Sight {
  /** Where they are, as a selector. */
  within?: string
  /** More than these. */
  more?: number
  /** A text that all have, that not all have. */
  every?: string
  notEvery?: string
  /** A text that one has; whatever else is busy. */
  some?: string
}

interface Shown {
  textContent: string
  getClientRects(): { length: number }
}

interface Browsing {
  document: { querySelectorAll(selector: string): Iterable<Shown> }
  addEventListener(name: string, hear: (event: { timeStamp: number }) => void, how: object): void
  requestAnimationFrame(next: () => void): void
}

interface Watch {
  rows: string
  sight: Sight
  /** From the first of these events; from the navigation where it is null. */
  input: string | null
  patience: number
}

/** Within the page. */
function watch({ rows: anyRow, sight, input, patience }: Watch): Promise<number> {
  const page = globalThis as unknown as Browsing
  const shown = (selector: string) =>
    [...page.document.querySelectorAll(selector)].filter((each) => each.getClientRects().length)
  const isSeen = () => {
    const rows = shown(`${sight.within ?? ''} ${anyRow}`)
    const has = (text?: string) => (row: Shown) => row.textContent.includes(text ?? '')
    if (sight.some) return rows.some(has(sight.some))
    if (rows.length <= (sight.more ?? 0) || !rows.every(has(sight.every))) return false
    if (sight.notEvery && rows.every(has(sight.notEvery))) return false
    return !shown('.sapUiLocalBusyIndicator').length
  }
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`not seen: ${JSON.stringify(sight)}`)), patience)
    const lookFrom = (begun: number) => {
      const look = () => page.requestAnimationFrame(isSeen() ? done : look)
      const done = () => resolve(performance.now() - begun)
      page.requestAnimationFrame(look)
    }
    if (input === null) return lookFrom(0)
    const hear = ({ timeStamp }: { timeStamp: number }) => lookFrom(timeStamp)
    page.addEventListener(input, hear, { capture: true, once: true })
  })
}

/** @returns ms from the navigation until this is seen */
export const seen = (page: Page, sight: Sight = {}): Promise<number> =>
  page.evaluate(watch, { rows: ROWS, sight, input: null, patience: PATIENCE_MS })

/** @returns ms from the act's own input, as the browser gets it, until this is seen */
export async function seenAfter(
  page: Page,
  input: 'click' | 'keydown' | 'wheel',
  act: () => Promise<unknown>,
  sight: Sight,
): Promise<number> {
  const watched = page.evaluate(watch, { rows: ROWS, sight, input, patience: PATIENCE_MS })
  await act()
  return watched
}
