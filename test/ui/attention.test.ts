// What gets a look of its own: small lines as one row, what is told before many are decided, and the next proposal.
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openList, openWindow, rows } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip
/** A busy machine decides slowly. */
const LONG_MS = 400_000

let demo: Demo
let browser: Browser

withUi5('what gets a look of its own', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('is at least three fifths of what is worth a line; the rest is one row by supplier', async () => {
    const pending = "status eq 'pending' and kind eq 'purchase'"
    const count = async (filter: string) => {
      const Authorization = `Basic ${Buffer.from('buyer:buyer').toString('base64')}`
      const query = encodeURIComponent(filter)
      const address = `${demo.service.url}/odata/v4/buyer/Proposals/$count?$filter=${query}`
      return Number(await (await fetch(address, { headers: { Authorization } })).text())
    }
    const below = await count(`${pending} and valueAtRisk lt 2`)
    const shown = await count(`${pending} and valueAtRisk lt 2 and isSmall eq false`)
    expect(below).toBeGreaterThan(1_000)
    expect(shown / below).toBeLessThanOrEqual(0.4)
  })

  it('leads from one proposal to the next and back by N and P', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page)
    const [first, second] = await demo.read(
      "$filter=status eq 'pending' and isSmall eq false&$orderby=valueAtRisk desc,ID desc&$top=2",
    )
    await rows(page).first().locator('td').nth(3).click()
    const isShown = (ID: number) => page.waitForURL(new RegExp(`Proposals\\(${ID}\\)`))
    await isShown(first!.ID)
    await page.locator('.restockFan svg').first().waitFor()
    await page.keyboard.press('n')
    await isShown(second!.ID)
    await page.locator('.restockFan svg').first().waitFor()
    await page.keyboard.press('p')
    await isShown(first!.ID)
    expect(errors).toEqual([])
    await close()
  })

  it('is told before many are approved', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page, 'due')
    await page.locator('.sapMListTbl:visible thead .sapMCb').click()
    await button(page, 'Approve').click()
    await page.getByRole('button', { name: /^(All|The first) [\d,]+$/ }).waitFor()
    await page
      .getByRole('button', { name: /^The [\d,]+ selected$/ })
      .first()
      .click()
    await dialog(page)
      .getByText(/^Of [\d,]+: \d+ to think over/)
      .waitFor()
    await button(dialog(page), 'Cancel').click()
    expect(errors).toEqual([])
    await close()
  })

  it('is not a small line: those of a supplier are approved as one', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page, 'small')
    const row = rows(page).first()
    const supplier = (await row.getByRole('link').innerText()).trim()
    const small = `status eq 'pending' and isSmall eq true and supplier eq '${supplier}'`
    const before = await demo.read(`$filter=${small}&$top=1000`)
    await row.getByRole('checkbox').click()
    await button(page, 'Approve').click()
    await dialog(page)
      .getByText(new RegExp(`^${before.length} orders`))
      .waitFor()
    await button(dialog(page), 'Approve').click()
    await page
      .getByText(new RegExp(`^${before.length} orders approved`))
      .waitFor({ timeout: LONG_MS })
    await until(async () => !(await demo.read(`$filter=${small}&$top=1`)).length, 60)
    expect(errors).toEqual([])
    await close()
  }, 900_000)
})
