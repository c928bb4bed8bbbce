// node scripts/app-pictures.ts [NAME…]: takes the pictures of the apps in docs/images, light and dark, desktop and phone.
import path from 'node:path'
import type { Page } from 'playwright-core'
import { type Look, openList, openProposal, openWindow } from '../test/ui/app.ts'
import { Demo } from '../test/ui/demo.ts'
import { openBrowser } from '../test/support/browser.ts'

const folder = path.resolve(import.meta.dirname, '../docs/images')
const wanted = process.argv.slice(2)
const SETTLING_MS = 3000

const demo = await Demo.start()
const { service } = demo
const browser = await openBrowser()

async function take(name: string, look: Look, open: (page: Page) => Promise<unknown>) {
  if (wanted.length && !wanted.includes(name)) return
  const { page, close } = await openWindow(browser, look)
  await open(page)
  await page.waitForTimeout(SETTLING_MS)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await close()
}

const list = (page: Page) => openList(service, page)
const admin = (area: string) => async (page: Page) => {
  await page.goto(`${service.url}/apps/admin/index.html#/${area}`)
  await page
    .locator('.sapMPage:visible, .sapFDynamicPage:visible, .sapUxAPObjectPageLayout:visible')
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
}

try {
  const { ID } = await demo.take("urgency eq 'stockout_before_arrival' and lotSize gt 1")
  const proposal = (page: Page) => openProposal(service, page, ID)
  const chart = async (page: Page) => {
    await proposal(page)
    await page
      .getByRole('option', { name: 'Demand and stock' })
      .or(page.getByRole('tab', { name: 'Demand and stock' }))
      .first()
      .click()
  }
  const asAdmin = { user: 'admin' }
  await take('start', {}, (page) => page.goto(service.url))
  await take('buyer-list', {}, list)
  await take('buyer-list-dark', { dark: true }, list)
  await take('buyer-by-supplier', {}, async (page) => {
    const [first] = await demo.read('$filter=supplier ne null&$orderby=supplier&$top=1')
    demo.setMinimum(first!.supplier, '25000')
    await openList(service, page, 'supplier')
  })
  await take('buyer-budget', {}, async (page) => {
    await list(page)
    await page.getByRole('button', { name: 'Fill a budget' }).click()
    const filling = page.getByRole('dialog', { name: 'Fill a budget or a container' })
    await filling.getByRole('combobox', { name: 'Supplier' }).fill('S-03')
    await page.keyboard.press('Tab')
    await filling.getByLabel('Budget', { exact: true }).fill('20,000')
    await filling.locator('.sapMListTblRow').first().waitFor()
  })
  await take('buyer-exceptions', {}, (page) => openList(service, page, 'exceptions'))
  await take('buyer-phone', { phone: true }, list)
  await take('buyer-proposal', {}, proposal)
  await take('buyer-chart', {}, chart)
  await take('buyer-chart-dark', { dark: true }, chart)
  await take('buyer-proposal-phone', { phone: true }, proposal)
  await take('admin-overview', asAdmin, admin(''))
  await take('admin-sources', asAdmin, admin('Sources'))
  await take('admin-source-dark', { ...asAdmin, dark: true }, admin('Sources(1)'))
  await take('admin-wizard', asAdmin, async (page) => {
    await admin('Sources')(page)
    await page.getByRole('button', { name: 'Connect an ERP' }).click()
  })
  await take('admin-keys', asAdmin, admin('ApiKeys'))
  await take('admin-quality', asAdmin, async (page) => {
    await page.setViewportSize({ width: 1500, height: 1500 })
    await admin('ForecastQuality(1)')(page)
  })
  await take('admin-phone', { ...asAdmin, phone: true }, admin('Sources'))
} finally {
  await browser.close()
  await demo.end()
}
