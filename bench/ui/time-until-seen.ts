// Measures within the page the time from an action to the frame that shows its result, so that Playwright's own
// time is not included.
import { setTimeout as sleep } from 'node:timers/promises'
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

/** A page that works less than this in a second rests. */
const AT_REST_MS = 100
/** Seconds of rest after which no more work is expected. */
const REST_S = 3

/**
 * Follows the processor time of the page's main thread from now on. Unlike a time by the clock it stays about the same while the
 * machine does other things too.
 * @returns milliseconds until the page rests; to be called once all that makes it work has been done
 */
export async function followWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  const begun = await worked()
  return async () => {
    let last = await worked()
    for (let rested = 0; rested < REST_S; rested++) {
      await sleep(1000)
      const now = await worked()
      if (now - last >= AT_REST_MS) rested = -1
      last = now
    }
    await session.detach()
    return last - begun
  }
}
