// A buyer's visit to the list, and how long each action takes until its result is visible.
import type { Browser } from 'playwright-core'
import { ROWS, timeUntilSeen, timeAfterAction } from './time-until-seen.ts'

export type Note = (name: string, ms: number) => void

const SCROLLS = 3
const FAR = 100_000
const MIDDLE = { x: 750, y: 600 }
/** Time in which a person reads and UI5 finishes its deferred work. */
const READING_MS = 1_000

/** Opens the list in a browser with an empty cache. */
export async function openVisit(browser: Browser, url: string, note: Note) {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1500, height: 900 },
    // With `httpCredentials` Playwright would disable the browser's cache.
    extraHTTPHeaders: { Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}` },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const rows = page.locator(ROWS).filter({ visible: true })
  const open = async () => {
    await page.goto('about:blank')
    await page.goto(`${url}/apps/buyer/index.html`, { waitUntil: 'commit' })
    return timeUntilSeen(page)
  }
  const settle = async () => {
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(READING_MS)
  }
  note('open the list, nothing cached', await open())

  return {
    async reopen() {
      note('open the list again', await open())
    },
    async scroll() {
      for (let time = 0; time < SCROLLS; time++) {
        await settle()
        const more = await rows.count()
        await page.mouse.move(MIDDLE.x, MIDDLE.y)
        const wheel = () => page.mouse.wheel(0, FAR)
        note('scroll to the next rows', await timeAfterAction(page, 'wheel', wheel, { more }))
      }
    },
    /** Opens another view, then filters by one supplier. */
    async filter() {
      await settle()
      const due = page.getByRole('tab', { name: /Due today/ })
      const sight = { within: '[id*="::table::due::"]' }
      const view = await timeAfterAction(page, 'click', () => due.click(), sight)
      note('the view “Due today”, the first time', view)
      await open()
      await settle()
      const field = page.locator('[id$="FilterField::supplier-inner-inner"]')
      await field.fill('S-7')
      await field.press('Tab')
      const go = page.getByRole('button', { name: 'Go', exact: true })
      const filter = await timeAfterAction(page, 'click', () => go.click(), { every: 'S-7 (' })
      note('filter by a supplier', filter)
    },
    async search() {
      await open()
      await settle()
      const field = page.getByRole('searchbox').first()
      const enter = () => field.press('Enter')
      await field.fill('SKU-777')
      note('search', await timeAfterAction(page, 'keydown', enter, { every: 'SKU-777' }))
      await settle()
      await field.fill('')
      note('search no more', await timeAfterAction(page, 'keydown', enter, { notEvery: 'SKU-777' }))
    },
    async openOne() {
      await settle()
      const row = rows.first().locator('td').nth(2)
      const sight = { some: 'Net requirement' }
      note('open a proposal', await timeAfterAction(page, 'click', () => row.click(), sight))
    },
    end: () => context.close(),
  }
}
