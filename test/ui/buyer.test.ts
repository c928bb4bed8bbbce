import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { followWork } from '../../bench/ui/time-until-seen.ts'
import { openBrowser } from '../support/browser.ts'
import { type Service, until } from '../support/service.ts'
import {
  button,
  dialog,
  field,
  hasUi5,
  openList,
  openProposal,
  openWindow,
  rows,
  seriousIssues,
  type Window,
} from './app.ts'
import { Demo } from './demo.ts'

// test/support/build-ui5.ts builds the libraries; they are missing if npm cannot be reached.
const withUi5 = hasUi5() ? describe : describe.skip

let demo: Demo
let service: Service
let browser: Browser
let window: Window
const open: Window[] = []

/** As an American types it. */
const dayAhead = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', { dateStyle: 'medium' })

const newWindow = async (look = {}) => {
  const opened = await openWindow(browser, look)
  open.push(opened)
  return opened
}

withUi5('the buyer’s morning', () => {
  beforeAll(async () => {
    demo = await Demo.start({ secondApproverAbove: '400' })
    service = demo.service
    browser = await openBrowser()
    window = await newWindow()
  }, 300_000)
  // Tests that provoke an error remove it from the list.
  afterEach(() => {
    const errors = open.flatMap((each) => each.errors.splice(0))
    expect(errors).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('starts at the tiles, with what waits and how old the numbers are', async () => {
    const { page } = window
    await page.goto(service.url)
    await page.getByText('Data as of').waitFor()
    expect(await page.locator('.tiles .count').count()).toBe(6)
    expect(await seriousIssues(page)).toEqual([])
    await page.getByRole('link', { name: /Due today/ }).click()
    await rows(page).first().waitFor()
    expect(page.url()).toContain('view=due')
  })

  it('shows what costs most to wait for first, and what a row says', async () => {
    const { page } = window
    const [dearest] = await demo.read(
      "$filter=status eq 'pending'&$orderby=valueAtRisk desc,ID desc&$top=1",
    )
    await rows(page).first().getByText(`${dearest!.sku} (`).waitFor()
    await page.getByRole('columnheader', { name: 'Cost of waiting' }).first().waitFor()
    expect(await page.locator('#shell').innerText()).toContain('Data as of')
    expect(await seriousIssues(page)).toEqual([])
  })

  it('opens one and reads why, with the chart and its table', async () => {
    const { page } = window
    const { ID } = await demo.take('lotSize gt 1')
    await openProposal(service, page, ID)
    await page.getByText('Net requirement').first().waitFor()
    await page.getByText(/Expected demand \(P50\)/).waitFor()
    const label = await page.locator('.restockFan svg').getAttribute('aria-label')
    expect(label).toContain('The table below has the numbers')
    expect(await page.locator('.restockFan line.before').count()).toBe(0)
    // Sections further down are loaded when they come into view.
    const section = { name: 'What-if' }
    await page.getByRole('tab', section).or(page.getByRole('option', section)).first().click()
    await page.getByText('As proposed').first().waitFor()
    expect(await seriousIssues(page)).toEqual([])
  })

  it('changes the quantity against the lot size, is told why, and then within it', async () => {
    const { page } = window
    const { ID, quantity, lotSize } = await demo.take('lotSize gt 1')
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    const entered = field(page, /Quantity/)
    const worth = dialog(page).getByText(/^1 order · [\d,]+ units? · [\d,.]+\sEUR/)
    const proposed = await worth.innerText()
    await entered.fill(String(Number(quantity) + 1))
    await button(dialog(page), 'Approve').click()
    // The message appears in a message box, or at the field if that was faster.
    const refusal = page.getByRole('alertdialog')
    const atField = page.locator('[id$="quantity-inner-message-text"]')
    await until(async () => {
      // The field shows its message only when it gets the focus after the answer, so the focus is set again.
      if (!(await refusal.isVisible())) {
        await entered.blur({ timeout: 1_000 })
        await entered.focus({ timeout: 1_000 })
      }
      const told = await refusal.or(atField).first().innerText({ timeout: 2_000 })
      return /cannot be ordered: orders are multiples of/.test(told)
    }, 60)
    if (await refusal.isVisible()) await button(refusal, 'Close').click()
    expect(await demo.statusOf(ID)).toBe('pending')
    expect(await entered.inputValue()).toBe(String(Number(quantity) + 1))
    const more = Number(quantity) + lotSize
    await entered.fill(String(more))
    expect(await worth.innerText()).not.toBe(proposed)
    // Leaving the field clears its message.
    await entered.press('Tab')
    await button(dialog(page), 'Approve').click()
    await until(async () => (await demo.statusOf(ID)) === 'approved', 20)
    const [row] = await demo.read(`$filter=ID eq ${ID}`)
    expect(Number(row!.quantity)).toBe(more)
    window.errors.length = 0
  })

  it('rejects with a reason and a comment', async () => {
    const { page } = window
    const { ID } = await demo.take("urgency eq 'due'")
    await openProposal(service, page, ID)
    await button(page, 'Reject').click()
    await field(page, /Reason/).fill('Too early')
    await field(page, /Reason/).press('Enter')
    await field(page, /Comment/).fill('Ask again in May')
    await button(dialog(page), 'Reject').click()
    await until(async () => (await demo.statusOf(ID)) === 'rejected', 20)
    // The page reloads its data after the decision; a click during that time is lost.
    await until(async () => {
      await page.getByText('Audit trail').first().click()
      await page.getByText('Ask again in May').first().waitFor({ timeout: 5_000 })
      return true
    }, 60)
  })

  it('puts one off until a day', async () => {
    const { page } = window
    const { ID } = await demo.take("urgency eq 'due'")
    await openProposal(service, page, ID)
    await button(page, 'Snooze').click()
    await field(page, /Until/).fill('Jan 15, 2099')
    await button(dialog(page), 'Snooze').click()
    await until(async () => (await demo.statusOf(ID)) === 'snoozed', 20)
  })

  it('gets both numbers of one whose stock has moved, and finds it calculated anew', async () => {
    const { page } = window
    const { ID, sku } = await demo.take("urgency eq 'due' and lotSize gt 1")
    const database = new DatabaseSync(service.database, { timeout: 30_000 })
    database.prepare('UPDATE restock_Stock SET onHand = 100000 WHERE sku = ?').run(sku)
    database.close()
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    const refusal = page.getByRole('alertdialog')
    await refusal
      .getByText(/was proposed, 0 would be proposed now\. It is calculated anew/)
      .first()
      .waitFor()
    expect(await demo.statusOf(ID)).toBe('superseded')
    window.errors.length = 0
  })

  it('adjusts a forecast, sees it beside the forecast, and takes it back', async () => {
    const { page } = window
    const { ID } = await demo.take("urgency eq 'due' and p50 gt 20")
    await openProposal(service, page, ID)
    await button(page, 'Adjust forecast').click()
    await field(page, /By percent/).fill('50')
    await field(page, /Last day/).fill(dayAhead(60))
    await field(page, /Reason/).fill('Trade fair')
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Adjust forecast').click()
    const adjusted = async () =>
      (await demo.read(`$filter=ID eq ${ID}&$select=forecastAdjusted`))[0]!.forecastAdjusted
    await until(async () => String(await adjusted()).startsWith('+50 %: Trade fair'), 150)
    await openProposal(service, page, ID)
    await page.getByText('Forecast without adjustments').first().waitFor()
    expect(await page.locator('.restockFan line.before').count()).toBeGreaterThan(3)
    await openList(service, page, 'overrides')
    await rows(page).getByText('Trade fair').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await rows(page).first().getByRole('checkbox').click()
    await button(page, 'Remove adjustment').click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Remove this adjustment?').waitFor()
    await question.getByRole('button').first().click()
    await until(async () => (await adjusted()) === null, 60)
  })

  it('needs a second person above the limit of one', async () => {
    const { page } = window
    const { ID } = await demo.take('value gt 400 and value lt 10000')
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    await until(async () => (await demo.statusOf(ID)) === 'awaiting_second_approval', 20)
    const second = await newWindow({ user: 'approver' })
    await openList(service, second.page, 'second')
    await openProposal(service, second.page, ID)
    await button(second.page, 'Approve').click()
    await button(dialog(second.page), 'Approve').click()
    await until(async () => (await demo.statusOf(ID)) === 'approved', 20)
  })

  it('is all to be seen by the auditor, who changes nothing', async () => {
    const { page } = await newWindow({ user: 'auditor' })
    const { ID } = await demo.take("urgency eq 'due'")
    await openProposal(service, page, ID)
    for (const name of ['Approve', 'Reject', 'Snooze', 'Cancel order', 'Adjust forecast']) {
      expect(await button(page, name).isDisabled()).toBe(true)
    }
    expect(await page.getByText('Approve this quantity').count()).toBe(0)
    await page.getByText('Audit trail').first().click()
    await page.getByText('Proposed').first().waitFor()
  })

  it('approves two hundred at once', async () => {
    const { page } = window
    await openList(service, page, 'due')
    const decided = "status eq 'approved' or status eq 'awaiting_second_approval'"
    const approved = async () => (await demo.read(`$filter=${decided}&$select=ID`)).length
    const before = await approved()
    const table = page.locator('.sapMListTbl:visible')
    while ((await rows(page).count()) < 200) {
      const count = await rows(page).count()
      // The table is rendered again when it grows.
      await rows(page)
        .last()
        .scrollIntoViewIfNeeded()
        .catch(() => {})
      await until(async () => (await rows(page).count()) > count, 20)
    }
    await table.locator('thead .sapMCb').click()
    const selected = await rows(page).count()
    await button(page, 'Approve').click()
    // There are more rows than the loaded ones.
    await page.getByRole('button', { name: `The ${selected} selected` }).click()
    await button(dialog(page), 'Approve').click()
    await page
      .getByText(new RegExp(`\\d+( of ${selected})? orders approved`))
      .first()
      .waitFor()
    const workUntilRest = await followWork(page)
    const told = await decidedOf(page)
    const worked = await workUntilRest()
    expect(await approved()).toBe(before + told)
    expect(told).toBeGreaterThanOrEqual(190)
    expect(worked).toBeLessThanOrEqual(2_000)
  })
})

/** The number of decided proposals in the app's message: those approved, and those that wait for a second approval. */
async function decidedOf(page: Page): Promise<number> {
  const said = await page
    .getByText(/\d+( of \d+)? orders approved/)
    .first()
    .innerText()
  const counts = said.matchAll(/(\d+)(?: of \d+)? orders?/g)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
