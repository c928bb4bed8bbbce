// A buyer at the list: what is done, and how long until what it leads to can be used.
import type { Browser, Page } from 'playwright-core'

export type Note = (name: string, ms: number) => void

const ROWS = 'tbody tr:has(> td.sapMListTblCell)'
const SCROLLS = 3

interface Shown {
  getClientRects(): { length: number }
}

/** As seen from within the page. */
function isUsable({ busy, rows, many }: { busy: string; rows: string; many: number }) {
  const page = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<Shown> }
  }
  const shown = (selector: string) =>
    [...page.document.querySelectorAll(selector)].filter((each) => each.getClientRects().length)
  return !shown(busy).length && shown(rows).length > many
}

/** Until more rows than these are shown and nothing that is shown is busy. */
const usable = (page: Page, many = 0) =>
  page.waitForFunction(
    isUsable,
    { busy: '.sapUiLocalBusyIndicator', rows: ROWS, many },
    { polling: 'raf' },
  )

const count = (page: Page) => page.locator(`${ROWS}:visible`).count()

async function timed(note: Note, name: string, act: () => Promise<unknown>) {
  const begun = performance.now()
  await act()
  note(name, performance.now() - begun)
}

/** A browser that knows nothing of the apps yet, with the list open. */
export async function openVisit(browser: Browser, url: string, note: Note) {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1500, height: 900 },
    // Not by `httpCredentials`, with which Playwright turns the browser's cache off.
    extraHTTPHeaders: { Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}` },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const list = `${url}/apps/buyer/index.html`
  const openList = async () => {
    await page.goto(list)
    await usable(page)
  }
  await timed(note, 'open the list, nothing cached', openList)

  /** Until the list has been asked for and shown anew. */
  const afterAnswer = async (act: () => Promise<unknown>) => {
    const answered = page.waitForResponse(
      async (answer) =>
        answer.url().includes('$batch') &&
        /GET Proposals\?/.test(answer.request().postData() ?? ''),
    )
    await act()
    await answered
    await usable(page)
  }

  return {
    async reopen() {
      await page.goto('about:blank')
      await timed(note, 'open the list again', openList)
    },
    async scroll() {
      for (let time = 0; time < SCROLLS; time++) {
        const before = await count(page)
        await timed(note, 'scroll to the next rows', async () => {
          await page.locator(`${ROWS}:visible`).last().scrollIntoViewIfNeeded()
          await usable(page, before)
        })
      }
    },
    /** Another view, and a filter of one supplier. */
    async filter() {
      const tab = (name: RegExp) => page.getByRole('tab', { name }).click()
      await timed(note, 'the view “Due today”, the first time', () =>
        afterAnswer(() => tab(/Due today/)),
      )
      await openList()
      const field = page.locator('[id$="FilterField::supplier-inner-inner"]')
      await field.fill('S-7')
      await field.press('Tab')
      const go = page.getByRole('button', { name: 'Go', exact: true })
      await timed(note, 'filter by a supplier', () => afterAnswer(() => go.click()))
    },
    async search() {
      await openList()
      // UI5 takes no search while it prepares its filters.
      await page.waitForLoadState('networkidle')
      const field = page.getByRole('searchbox').first()
      await field.fill('SKU-777')
      await timed(note, 'search', () => afterAnswer(() => field.press('Enter')))
      await field.fill('')
      await timed(note, 'search no more', () => afterAnswer(() => field.press('Enter')))
    },
    async openOne() {
      await timed(note, 'open a proposal', async () => {
        await page.locator(`${ROWS}:visible`).first().locator('td').nth(2).click()
        await page.getByText('Net requirement').first().waitFor()
      })
    },
    end: () => context.close(),
  }
}
