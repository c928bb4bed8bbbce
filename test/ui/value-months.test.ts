// What it is worth, month by month, on a page of the buyer's app.
import { DatabaseSync } from 'node:sqlite'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { Service, until } from '../support/service.ts'
import { hasUi5, openWindow, seriousIssues } from './app.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const month = new Date().toISOString().slice(0, 7)

let service: Service
let browser: Browser

/** A month of twenty days, half of whose demand found stock, and two lines that were decided. */
function measure() {
  const database = new DatabaseSync(service.database, { timeout: 30_000 })
  database.exec(`INSERT INTO restock_Sources (ID, type, account) VALUES (1, 'csv', 'shop')`)
  database
    .prepare(
      `INSERT INTO restock_MeasuredMonths (source_ID, month, firstDay, lastDay, days, plannedDays) VALUES (1, ?, ?, ?, 20, 20)`,
    )
    .run(month, `${month}-02`, `${month}-21`)
  database
    .prepare(
      `INSERT INTO restock_MeasuredValues (source_ID, month, location, skuGroup, currency, pairDays, uncostedDays, stockoutDays, unitsShort,
         stockValue, shortageCost, carryingCost, demandValue, shortValue, plannedPairDays, plannedStockoutDays, plannedUnitsShort,
         plannedStockValue, plannedShortageCost, plannedCarryingCost, plannedDemandValue, plannedShortValue)
       VALUES (1, ?, 'L1', '', 'EUR', 20, 0, 10, 40, 2000, 32, 1.4, 160, 80, 20, 1, 4, 3000, 3.2, 2, 160, 8)`,
    )
    .run(month)
  const decide = database.prepare(
    `INSERT INTO restock_Proposals (ID, source_ID, series, kind, sku, location, quantity, calculation_quantity, calculation_horizonDays, status, createdAt,
       decidedAt, decidedBy, version, touched)
     VALUES (?, 1, 1, 'purchase', 'A', 'L1', ?, 10, 14, ?, ?, ?, 'buyer', 2, 1)`,
  )
  const at = `${month}-01T08:00:00.000Z`
  decide.run(1, 10, 'ordered', at, at)
  decide.run(2, 12, 'approved', at, at)
  database.close()
}

withUi5('the months of what it is worth', () => {
  beforeAll(async () => {
    service = await Service.inTemporaryFolder()
    // `start` may time out on a busy machine.
    await service.start({ RESTOCK_DEMO: 'key' }).catch(() => {})
    await until(async () => service.port > 0, 240)
    browser = await openBrowser()
    measure()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each([{}, { phone: true, dark: true }])(
    'say planned and come of stock, service and costs, and the lines: %j',
    async (look) => {
      const { page, errors, close } = await openWindow(browser, look)
      await page.goto(`${service.url}/apps/buyer/index.html#/ValueMonths`)
      await page.getByRole('heading', { level: 1, name: 'What it is worth' }).waitFor()
      await page.getByText('95.0 % planned, 50.0 % came').waitFor()
      await page.getByText('5.0 % planned, 50.0 % came').last().waitFor()
      await page.getByText('150.00 EUR planned, 100.00 EUR came').waitFor()
      await page
        .getByText('2 proposed; 1 approved, 1 edited, 0 rejected; 1 ordered')
        .first()
        .waitFor()
      await page
        .getByText(/of the days from .* on, nothing was measured before/)
        .first()
        .waitFor()
      await page.getByText('Approved with another quantity').waitFor()
      expect(await seriousIssues(page)).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(look.phone ? 390 : 1500)
      expect(errors).toEqual([])
      await close()
    },
  )
})
