// A buyer's visit to the list, and how long each action takes until its result is visible.
import type { Browser } from 'playwright-core'
import { measureMemory } from './memory.ts'
import { ROWS, timeUntilSeen, timeAfterAction } from './time-until-seen.ts'
import { countRequests } from './wire.ts'

export type Note = (name: string, value: number) => void

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
    await page.goto(`${url}/apps/buyer/index.html?view=open`, { waitUntil: 'commit' })
    return timeUntilSeen(page)
  }
  const settle = async () => {
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(READING_MS)
  }
  note('open the list, nothing cached, ms', await open())

  return {
    async reopen() {
      await settle()
      const counted = await countRequests(page)
      note('open the list again, ms', await open())
      await settle()
      const { requests, cached, bytes } = counted()
      note('requests of it', requests)
      note('of them not answered by the cache', requests - cached)
      note('KB over the network', bytes / 1_024)
    },
    async scroll() {
      for (let time = 0; time < SCROLLS; time++) {
        await settle()
        const more = await rows.count()
        await page.mouse.move(MIDDLE.x, MIDDLE.y)
        const wheel = () => page.mouse.wheel(0, FAR)
        note('scroll to the next rows, ms', await timeAfterAction(page, 'wheel', wheel, { more }))
      }
    },
    /** Opens another view, then filters by one supplier. */
    async filter() {
      await settle()
      const due = page.getByRole('tab', { name: /Due today/ })
      const sight = { within: '[id*="::table::due::"]' }
      const view = await timeAfterAction(page, 'click', () => due.click(), sight)
      note('the view “Due today”, the first time, ms', view)
      await open()
      await settle()
      const field = page.locator('[id$="FilterField::supplier-inner-inner"]')
      await field.fill('S-7')
      await field.press('Tab')
      const go = page.getByRole('button', { name: 'Go', exact: true })
      const filter = await timeAfterAction(page, 'click', () => go.click(), { every: 'S-7 (' })
      note('filter by a supplier, ms', filter)
    },
    async search() {
      await open()
      await settle()
      const field = page.getByRole('searchbox').first()
      const enter = () => field.press('Enter')
      await field.fill('SKU-777')
      note('search, ms', await timeAfterAction(page, 'keydown', enter, { every: 'SKU-777' }))
      await settle()
      await field.fill('')
      note(
        'search no more, ms',
        await timeAfterAction(page, 'keydown', enter, { notEvery: 'SKU-777' }),
      )
    },
    async openOne() {
      await settle()
      const row = rows.first().locator('td').nth(2)
      const sight = { some: 'Net requirement' }
      note('open a proposal, ms', await timeAfterAction(page, 'click', () => row.click(), sight))
    },
    /** A supplier’s order, from its address, with what is cached. */
    async openOrder() {
      await page.goto('about:blank')
      await page.goto(`${url}/apps/buyer/index.html#/Suppliers?supplier=S-7`, {
        waitUntil: 'commit',
      })
      note('open a supplier’s order, ms', await timeUntilSeen(page))
    },
    /** From the list to a proposal and back, so many times. @returns what the tab holds then */
    async navigate(times: number) {
      for (let time = 0; time < times; time++) {
        await rows
          .nth(time % 5)
          .locator('td')
          .nth(7)
          .click()
        await page.locator('.restockFan svg:visible').waitFor()
        await page.goBack()
        await rows.first().waitFor()
      }
      await settle()
      return measureMemory(page)
    },
    end: () => context.close(),
  }
}
