// Measures within the page the time from an action to the frame that shows its result, so that Playwright's own
// time is not included.
import type { Page } from 'playwright-core'

/** Visible rows of a table. */
export const ROWS = 'tbody tr:not([id$="-nodata"]):has(> td.sapMListTblCell)'

const PATIENCE_MS = 60_000

/** The rows that must be visible before the time stops; no busy indicator may be visible then. */
export interface Sight {
  /** Selector of the element that contains the rows. */
  within?: string
  /** More rows than this. */
  more?: number
  /** A text that every row has; a text that not every row has. */
  every?: string
  notEvery?: string
  /** A text that one row has; then busy indicators do not matter. */
  some?: string
}

interface VisibleElement {
  textContent: string
  getClientRects(): { length: number }
}

interface PageGlobals {
  document: { querySelectorAll(selector: string): Iterable<VisibleElement> }
  addEventListener(name: string, handler: (event: { timeStamp: number }) => void, how: object): void
  requestAnimationFrame(next: () => void): void
}

interface WatchInput {
  rows: string
  sight: Sight
  /** The event that starts the time; null: the navigation. */
  input: string | null
  patience: number
}

/** Runs in the page. */
function watchPage({ rows: anyRow, sight, input, patience }: WatchInput): Promise<number> {
  const page = globalThis as unknown as PageGlobals
  const shown = (selector: string) =>
    [...page.document.querySelectorAll(selector)].filter((each) => each.getClientRects().length)
  const isSeen = () => {
    const rows = shown(`${sight.within ?? ''} ${anyRow}`)
    const has = (text?: string) => (row: VisibleElement) => row.textContent.includes(text ?? '')
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
    const start = ({ timeStamp }: { timeStamp: number }) => lookFrom(timeStamp)
    page.addEventListener(input, start, { capture: true, once: true })
  })
}

/** @returns milliseconds from the navigation until the rows are visible */
export const timeUntilSeen = (page: Page, sight: Sight = {}): Promise<number> =>
  page.evaluate(watchPage, { rows: ROWS, sight, input: null, patience: PATIENCE_MS })

/** @returns milliseconds from the action's input event until the rows are visible */
export async function timeAfterAction(
  page: Page,
  input: 'click' | 'keydown' | 'wheel',
  act: () => Promise<unknown>,
  sight: Sight,
): Promise<number> {
  const watched = page.evaluate(watchPage, { rows: ROWS, sight, input, patience: PATIENCE_MS })
  await act()
  return watched
}

/** As long as nothing is seen of more work, a page is done. */
const QUIET_MS = 3_000
/** What takes less is not felt. */
const FELT_MS = 200

interface WorkInput {
  told: string
  quiet: number
  felt: number
  patience: number
}

/** Runs in the page: a frame that comes late says that it works. */
function watchWork({ told, quiet, felt, patience }: WorkInput): Promise<number> {
  const page = globalThis as unknown as PageGlobals
  const messages = '.sapMMessageToast, [role=dialog], [role=alertdialog]'
  const isTold = () =>
    [...page.document.querySelectorAll(messages)].some((each) =>
      new RegExp(told).test(each.textContent),
    )
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`not told: ${told}`)), patience)
    let [last, message, worked] = [performance.now(), 0, 0]
    const look = () => {
      const now = performance.now()
      if (!message && isTold()) message = now
      else if (message && now - last > felt) worked = now - message
      last = now
      if (message && now - message - worked > quiet) resolve(worked)
      else page.requestAnimationFrame(look)
    }
    page.requestAnimationFrame(look)
  })
}

/** @returns milliseconds from the frame that shows a message to the last one that came late, which no others follow */
export const workAfter = (page: Page, told: string): Promise<number> =>
  page.evaluate(watchWork, { told, quiet: QUIET_MS, felt: FELT_MS, patience: 10 * PATIENCE_MS })
