// Assigned work in the buyer's app: views, Today, a comment that asks a colleague.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { hasUi5, openWindow, rows, seriousIssues } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

let demo: Demo
let browser: Browser

const tile = (page: Page, label: string) =>
  page.locator('.restockTile').filter({ hasText: label }).first()

async function open(page: Page, hash = '') {
  await page.goto('about:blank')
  await page.goto(`${demo.service.url}/apps/buyer/index.html${hash}`)
}

async function asUser(user: string, path: string, body: object) {
  const response = await fetch(`${demo.service.url}/odata/v4/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, ''])
}

withUi5('assigned work', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    const rule = { supplier: 'S-01', responsible: 'buyer', teamLead: 'approver' }
    await asUser('admin', 'admin/Policies/AdminService.setRule', rule)
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('is a figure of Today that opens its view', async () => {
    const { page, errors, close } = await openWindow(browser)
    await open(page)
    await tile(page, 'My open lines').getByRole('link').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await tile(page, 'My open lines').getByRole('link').click()
    await page.getByRole('tab', { name: /^Mine/, selected: true }).waitFor()
    await rows(page).first().waitFor()
    expect(errors).toEqual([])
    await close()
  })

  it('asks a colleague by @name, who finds it on Today', async () => {
    const { page, errors, close } = await openWindow(browser)
    await open(page, '?view=mine#/')
    // Until lines are there the table has one row that says so.
    await rows(page).filter({ hasText: 'EUR' }).first().locator('td').nth(3).click()
    await page.getByRole('button', { name: 'Comment or ask' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Before the fair, @approver?')
    await dialog.getByRole('button', { name: 'Comment or ask' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(errors).toEqual([])
    await close()
    const other = await openWindow(browser, { user: 'approver', locale: 'de-DE', phone: true })
    await open(other.page)
    await other.page
      .getByText(/^buyer fragt zu .*Before the fair/)
      .first()
      .waitFor()
    expect(await seriousIssues(other.page)).toEqual([])
    expect(other.errors).toEqual([])
    await other.close()
  })
})
