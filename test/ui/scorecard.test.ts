// How a supplier has kept its promises, on a page of the buyer's app.
import { DatabaseSync } from 'node:sqlite'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { Service, until } from '../support/service.ts'
import { hasUi5, openWindow, seriousIssues } from './app.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

let service: Service
let browser: Browser

/** A line every eleven days of a year: every fourth is five days late, of the other supplier every second. */
function receive(supplier: string, every: number) {
  const database = new DatabaseSync(service.database, { timeout: 30_000 })
  const insert = database.prepare(
    `INSERT INTO restock_Receipts (source_ID, document, receipt, line, sku, location, supplier, orderedOn, due, receivedOn, quantity, unitCost)
     VALUES (1, ?, '1', '10', 'A', 'L1', ?, ?, ?, ?, 10, ?)`,
  )
  for (let at = 1; at <= 32; at++) {
    const due = at * 11
    const late = at % every === 0 ? 5 : 0
    const days = [due + 20, due, due - late].map((day) => daysAgo(day))
    insert.run(`${supplier}-${at}`, supplier, ...days, at > 16 ? 2 : 2.1)
  }
  database.close()
}

withUi5('the scorecard of a supplier', () => {
  beforeAll(async () => {
    service = await Service.inTemporaryFolder()
    // `start` may time out on a busy machine.
    await service.start({ RESTOCK_DEMO: 'key' }).catch(() => {})
    await until(async () => service.port > 0, 240)
    browser = await openBrowser()
    const database = new DatabaseSync(service.database, { timeout: 30_000 })
    database.exec(`INSERT INTO restock_Sources (ID, type, account) VALUES (1, 'csv', 'prices')`)
    database.close()
    receive('S-01', 4)
    receive('S-02', 2)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('is a link away from its order, and says its year beside the others', async () => {
    const { page, errors, close } = await openWindow(browser)
    await page.goto(`${service.url}/apps/buyer/index.html#/Suppliers?source=1&supplier=S-01`)
    await page.getByRole('link', { name: 'Scorecard' }).click()
    await page.getByRole('heading', { name: /^Scorecard of S-01/ }).waitFor()
    await page.getByText('75 %').first().waitFor()
    await page.getByText('others: 50 % (median)').waitFor()
    await page.getByText('mean of the late ones, at most 5').waitFor()
    await page.getByText('+5.0 %').first().waitFor()
    expect(await page.locator('tr.sapMLIB').count()).toBeGreaterThanOrEqual(12)
    expect(await seriousIssues(page)).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  it.each([
    { locale: 'de-DE', dark: false, phone: false },
    { locale: 'de-DE', dark: true, phone: true },
    { locale: 'en-US', dark: true, phone: false },
  ])('can be used in %o', async (look) => {
    const { page, errors, close } = await openWindow(browser, look)
    await page.goto(`${service.url}/apps/buyer/index.html#/Scorecard?source=1&supplier=S-02`)
    const name = look.locale === 'de-DE' ? /^Bewertung von S-02/ : /^Scorecard of S-02/
    await page.getByRole('heading', { name }).waitFor()
    await page
      .getByText(/^50 %$/)
      .first()
      .waitFor()
    expect(await seriousIssues(page)).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  it('says where nothing is known', async () => {
    const { page, close } = await openWindow(browser)
    await page.goto(`${service.url}/apps/buyer/index.html#/Scorecard?source=1&supplier=S-04`)
    await page.getByText('No receipt or open order of this supplier has a promised day.').waitFor()
    await close()
  })

  it.each(['', '?source=x&supplier=S-01', '?source=1'])('says what "%s" lacks', async (query) => {
    const { page, errors, close } = await openWindow(browser)
    await page.goto(`${service.url}/apps/buyer/index.html#/Scorecard${query}`)
    await page.getByText('The address names no supplier.').waitFor()
    expect(errors).toEqual([])
    await close()
  })
})
