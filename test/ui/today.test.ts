// The first page of the buyer's app, and the simulation for managers.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, hasUi5, openWindow, rows, seriousIssues } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

let demo: Demo
let browser: Browser

const tile = (page: Page, label: string) =>
  page.locator('.restockTile').filter({ hasText: label }).first()

async function open(page: Page, hash = '') {
  await page.goto('about:blank')
  await page.goto(`${demo.service.url}/apps/buyer/index.html${hash}`)
  await page.locator('.restockTile').first().waitFor()
}

const isWide = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

withUi5('what today needs', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('is the first page; each figure opens its list, a supplier its order, a kind its exceptions', async () => {
    const { page, errors, close } = await openWindow(browser)
    await open(page)
    expect(page.url()).toMatch(/#\/Home$/)
    expect(await tile(page, 'Due today').innerText()).toMatch(
      /\d EUR\n[\d,]+ lines, [\d,]+ of them small\n(.+\n)*Cost of waiting/,
    )
    expect(await seriousIssues(page)).toEqual([])
    await tile(page, 'Out of stock now').getByRole('link').click()
    await page.getByRole('tab', { name: /^Out of stock/, selected: true }).waitFor()
    await page.goBack()
    await tile(page, 'Stockout before delivery').getByRole('link').click()
    await page.getByRole('tab', { name: /^Stockout before delivery/, selected: true }).waitFor()
    await page.goBack()
    const supplier = page.getByRole('link', { name: /\bS-0\d$/ }).first()
    const name = await supplier.innerText()
    await supplier.click()
    await page.getByRole('heading', { level: 1, name: `Supplier's order: ${name}` }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click()
    await page.getByRole('link', { name: 'Expedite order' }).click()
    await page.getByRole('tab', { name: /^Exceptions/, selected: true }).waitFor()
    await rows(page).filter({ hasText: 'Expedite order' }).first().waitFor()
    const others = rows(page).filter({ hasNotText: 'Expedite order' })
    await until(async () => (await others.count()) === 0, 20)
    expect(errors).toEqual([])
    await close()
  })

  it('fits a phone, in the dark and in German', async () => {
    const look = { phone: true, dark: true, locale: 'de-DE' }
    const { page, errors, close } = await openWindow(browser, look)
    await open(page)
    expect(await tile(page, 'Heute fällig').innerText()).toContain('Positionen')
    expect(await seriousIssues(page)).toEqual([])
    expect(await isWide(page)).toBeLessThanOrEqual(390)
    expect(errors).toEqual([])
    await close()
  })

  it('says to managers what another target, lead time and budget would mean', async () => {
    const { page, errors, close } = await openWindow(browser, { user: 'approver' })
    await open(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Simulation' }).click()
    await page.locator('.restockExchange svg').waitFor()
    const before = await tile(page, 'Current rules').innerText()
    await page.getByRole('combobox', { name: 'Service target' }).press('F4')
    await page.getByRole('option', { name: 'P95' }).click()
    await tile(page, 'Target P95 for all').waitFor()
    await page.getByRole('textbox', { name: /^Stock budget/ }).fill('1,500,000')
    await page.keyboard.press('Tab')
    await tile(page, 'Budget, best spread').waitFor()
    expect(await tile(page, 'Current rules').innerText()).toBe(before)
    expect(page.url()).toMatch(/target=0\.95.*budget=1500000/)
    expect(await page.locator('.restockExchange path').count()).toBe(3)
    await page.getByText('An administrator sets the service target').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await page.goBack()
    await tile(page, 'Budget, best spread').waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await close()
  })

  it('keeps the simulation from who may not ask, and shows it whole on a phone', async () => {
    const buyer = await openWindow(browser)
    await open(buyer.page)
    await buyer.page.getByRole('navigation').waitFor()
    expect(await buyer.page.getByRole('link', { name: 'Simulation' }).count()).toBe(0)
    await buyer.close()
    const look = { user: 'admin', phone: true, dark: true, locale: 'de-DE' }
    const { page, errors, close } = await openWindow(browser, look)
    await open(page, '#/Simulation?days=7&by=supplier')
    await tile(page, 'Wiederbeschaffungszeit +7 Tage').waitFor()
    await page.getByRole('link', { name: 'Als Bestellregel festlegen' }).waitFor()
    expect(await seriousIssues(page)).toEqual([])
    expect(await isWide(page)).toBeLessThanOrEqual(390)
    expect(await button(page, 'Vorschläge').count()).toBe(0)
    expect(errors).toEqual([])
    await close()
  })

  it('asks what a stockout costs until somebody has said it, shows the arithmetic, and sets it', async () => {
    const look = { user: 'admin', phone: true, dark: true }
    const { page, errors, close } = await openWindow(browser, look)
    await open(page)
    await page.getByText('as much as carrying one for 83 weeks').waitFor()
    await page.getByRole('link', { name: 'Set costs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
    await tile(page, 'Demand from stock').waitFor()
    // By which ratio the demo's made-up planner acted.
    await button(page, 'Take over').first().waitFor()
    expect(await seriousIssues(page)).toEqual([])
    expect(await isWide(page)).toBeLessThanOrEqual(390)
    await page.getByRole('textbox', { name: /as much as carrying it/ }).fill('x')
    await button(page, 'What would that buy?').click()
    await page.getByRole('textbox', { name: /as much as carrying it/ }).fill('10')
    await button(page, 'What would that buy?').click()
    await page.getByText('10 · 7 / 365 · 0.25').waitFor()
    await page
      .getByText(/^then [\d,]+ EUR$/)
      .first()
      .waitFor()
    await button(page, 'Set').click()
    await page.getByText(/^Set\. A unit short costs as much as carrying one for 10 weeks/).waitFor()
    // Of a class alone.
    await button(page, 'Set for these SKUs').first().click()
    await page.getByRole('combobox', { name: 'ABC class' }).filter({ hasText: /^A/ }).waitFor()
    await page.getByRole('textbox', { name: /as much as carrying it/ }).fill('30')
    await button(page, 'Set').click()
    await page.getByText(/^Set\. A unit short costs as much as carrying one for 30 weeks/).waitFor()
    await page.getByText(/^A unit short costs as much as carrying one for 30 weeks/).waitFor()
    expect(await isWide(page)).toBeLessThanOrEqual(390)
    await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click()
    await tile(page, 'Due today').waitFor()
    await page.getByRole('link', { name: 'Set costs' }).waitFor({ state: 'hidden' })
    expect(errors).toEqual([])
    await close()
  })
})
