// A supplier's order on one page of the buyer's app.
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openWindow, rows, seriousIssues } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const MANY = 'S-05'
const FEW = 'S-06'
const SOME = 'S-04'
const LINES = 60
const MOST_KEYS = 70
const MOST_MS = 90_000

let demo: Demo
let browser: Browser

/** Leaves a supplier these many open lines, the cheapest ones, all due and worth a line. */
function leave(supplier: string, count: number) {
  const database = new DatabaseSync(demo.service.database, { timeout: 30_000 })
  const cheapest = `SELECT ID FROM restock_Proposals WHERE status = 'pending' AND supplier = ?1
    AND CAST(value AS REAL) > 0 ORDER BY CAST(value AS REAL) LIMIT ${count}`
  const of = `UPDATE restock_Proposals SET %s WHERE status = 'pending' AND supplier = ?1`
  const set = (changes: string, is: string) =>
    database.prepare(`${of.replace('%s', changes)} AND ID ${is} (${cheapest})`).run(supplier)
  set(`status = 'expired'`, 'NOT IN')
  set(`orderBy = date('now'), valueAtRisk = 5`, 'IN')
  database.close()
}

async function openOrder(page: Page, supplier: string) {
  await page.goto('about:blank')
  await page.goto(`${demo.service.url}/apps/buyer/index.html#/Suppliers?supplier=${supplier}`)
  await page.locator('tr.sapMLIB:focus').waitFor()
}

const linesOf = (supplier: string) =>
  demo.read(`$filter=supplier eq '${supplier}' and status ne 'expired'&$top=100`)

withUi5('a supplier’s order', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
    leave(MANY, LINES)
    leave(FEW, 3)
    leave(SOME, 4)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('is decided by keyboard alone, line by line', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openOrder(page, MANY)
    const began = Date.now()
    let keys = 0
    const press = async (key: string) => {
      keys++
      await page.keyboard.press(key)
    }
    /** As a person sees where the next key goes. */
    const focused = (at: number) => rows(page).nth(at).and(page.locator(':focus')).waitFor()
    for (let at = 0; at < LINES; at++) {
      await focused(at)
      await press(at === 1 ? 'r' : at === 2 ? 's' : at === 3 ? 'x' : 'a')
    }
    await press('Control+Enter')
    await button(dialog(page), 'Approve').and(page.locator(':focus')).waitFor()
    await press('Enter')
    await until(async () => (await linesOf(MANY)).filter(isOpen).length === 1, 60)
    await rows(page).nth(0).waitFor()
    expect(keys).toBeLessThanOrEqual(MOST_KEYS)
    expect(Date.now() - began).toBeLessThan(MOST_MS)
    const statuses = (await linesOf(MANY)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'approved')).toHaveLength(LINES - 3)
    expect(statuses).toEqual(expect.arrayContaining(['rejected', 'snoozed', 'pending']))
    expect(errors).toEqual([])
    await close()
  })

  it('shows what the supplier asks, what would fill it, and what a quantity changes', async () => {
    const lines = await linesOf(FEW)
    const all = lines.reduce((sum, { value }) => sum + Number(value), 0)
    demo.setMinimum(FEW, all.toFixed(2))
    const { page, errors, close } = await openWindow(browser)
    await openOrder(page, FEW)
    await told(page, 'reached')
    expect(await seriousIssues(page)).toEqual([])
    await page.keyboard.press('x')
    await told(page, 'missing')
    await button(page, 'Add').click()
    await told(page, 'reached')
    await rows(page).first().focus()
    await page.keyboard.press('q')
    await page.keyboard.type('0')
    await until(() => button(page, 'Approve').isDisabled(), 20)
    expect(errors).toEqual([])
    await close()
  })

  it('says what was decided, and keeps open what was left open', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openOrder(page, SOME)
    const first = (await linesOf(SOME)).filter(isOpen)
    await button(page, 'Clear selection').click()
    await rows(page).first().focus()
    await page.keyboard.press('a')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Approve').click()
    await page.getByText('1 order approved, ').waitFor()
    await until(async () => (await linesOf(SOME)).filter(isOpen).length === first.length - 1, 20)
    await until(() => button(page, 'Approve').isDisabled(), 20)
    expect(errors).toEqual([])
    await close()
  })

  it('tells that the service cannot be reached, and goes on when it is back', async () => {
    const { page, close } = await openWindow(browser)
    await openOrder(page, SOME)
    const before = (await linesOf(SOME)).filter(isOpen).length
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').waitFor()
    await page.context().setOffline(true)
    await button(dialog(page), 'Approve').click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('The service is back.').waitFor()
    await page.getByText(`${before} orders approved, `).waitFor()
    expect((await linesOf(SOME)).filter(isOpen)).toEqual([])
    await close()
  })

  it('leads to the next supplier by one key, and is for reading to who decides nothing', async () => {
    const { page, errors, close } = await openWindow(browser, { user: 'viewer' })
    await openOrder(page, 'S-01')
    const title = () => page.getByRole('heading', { level: 1 }).first().innerText()
    const before = await title()
    await page.keyboard.press('n')
    await until(async () => (await title()) !== before, 20)
    expect(page.url()).not.toContain('S-01')
    expect(await button(page, 'Reject').count()).toBe(0)
    expect(await rows(page).first().locator('input').count()).toBe(0)
    expect(errors).toEqual([])
    await close()
  })

  it('puts a line off to a day that is asked for most, and says what waiting until then costs', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openOrder(page, FEW)
    for (const key of ['s', 'x', 'x']) await page.keyboard.press(key)
    await page.keyboard.press('Control+Enter')
    const cost = dialog(page).getByText(/^Waiting until .+ costs about [\d,.]+\sEUR\.$/)
    await cost.waitFor()
    const before = await cost.innerText()
    await button(dialog(page), 'Tomorrow').click()
    await until(async () => (await cost.innerText()) !== before, 20)
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Snooze').click()
    await page.getByText('1 order snoozed.').waitFor()
    const statuses = (await linesOf(FEW)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'snoozed')).toHaveLength(1)
    expect(errors).toEqual([])
    await close()
  })

  it('fits a phone', async () => {
    const { page, errors, close } = await openWindow(browser, { phone: true, locale: 'de-DE' })
    await openOrder(page, FEW)
    expect(await seriousIssues(page)).toEqual([])
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(wide).toBeLessThanOrEqual(390)
    expect(errors).toEqual([])
    await close()
  })
})

/** The bar itself has the text too, hidden where it stands below. */
const told = (page: Page, text: string) =>
  page.getByText(text).locator('visible=true').first().waitFor()

const isOpen = ({ status }: { status: string }) => status === 'pending'
