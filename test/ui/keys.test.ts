// The list without a mouse, and what it remembers: decisions that can be undone, quantities of many, its address.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import {
  button,
  dialog,
  field,
  hasUi5,
  numberIn,
  openList,
  openProposal,
  openWindow,
  rows,
  seriousIssues,
} from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const SHOWN = "$filter=status eq 'pending'&$orderby=valueAtRisk desc,ID desc"

withUi5('the list by keyboard', () => {
  let demo: Demo
  let browser: Browser
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  const statusesOf = async (IDs: number[]) => {
    const found = await demo.read(`$filter=ID in (${IDs.join()})`)
    return IDs.map((ID) => found.find((row) => row.ID === ID)!.status)
  }
  const firstRows = async (count: number) =>
    (await demo.read(`${SHOWN}&$top=${count}`)).map(({ ID }) => ID)

  it('approves and rejects row by row, and takes the last one back', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page)
    const [one, two, three] = (await firstRows(3)) as [number, number, number]
    await rows(page).first().focus()
    for (const key of ['a', 'a', 'u']) await page.keyboard.press(key)
    await held(page).getByText('1 order to approve').waitFor()
    await focused(page, 2)
    await page.keyboard.press('r')
    await dialog(page).getByText('Reject the order').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Reject').click()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await button(dialog(page), 'Reject').click()
    await held(page).getByText('1 order to reject').waitFor()
    expect(await statusesOf([one, two, three])).toEqual(['pending', 'pending', 'pending'])
    await button(page, 'Send now').click()
    await page.getByText(/1 order approved, .*1 order rejected\./).waitFor()
    expect(await statusesOf([one, two, three])).toEqual(['approved', 'pending', 'rejected'])
    await until(async () => (await rows(page).locator('.restockHeld').count()) === 0, 20)
    await rows(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('alertdialog').getByText('undo the last decision').waitFor()
    await page.keyboard.press('Escape')
    expect(errors).toEqual([])
    await close()
  })

  it('sends what is held when the list is left', async () => {
    const { page, close } = await openWindow(browser)
    await openList(demo.service, page)
    const { row, at } = await demo.within(SHOWN)
    const { ID } = row
    await rows(page).nth(at).focus()
    await page.keyboard.press('a')
    await held(page).getByText('1 order to approve').waitFor()
    await page.goto(`${demo.service.url}/apps/buyer/index.html?view=open#/Proposals(${ID})`)
    await until(async () => (await statusesOf([ID]))[0] === 'approved', 20)
    await close()
  })

  it('asks a quantity of many at once, which holds once they are approved', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page)
    const before = (await demo.read(`${SHOWN}&$top=2`))[0]!
    for (const at of [0, 1]) await rows(page).nth(at).getByRole('checkbox').click()
    await button(page, 'Edit quantities').click()
    await dialog(page).getByRole('spinbutton').first().fill('100')
    await dialog(page).getByRole('spinbutton').first().press('Tab')
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Apply').click()
    const typed = rows(page).first().locator('input[type=text]')
    await until(async () => numberIn(await typed.inputValue()) === 2 * Number(before.quantity), 10)
    expect((await demo.read(`$filter=ID eq ${before.ID}`))[0]!.quantity).toBe(before.quantity)
    expect(errors).toEqual([])
    await close()
  })

  it('has an address that keeps view, filter and search', async () => {
    const { page, close } = await openWindow(browser)
    await openList(demo.service, page, 'due')
    const supplier = page.locator('[id$="FilterField::supplier-inner-inner"]')
    await supplier.fill('S-02')
    await supplier.press('Tab')
    // The supplier is looked up; UI5 loses what else is typed in the moment of its answer.
    await page.locator('[id$="FilterField::supplier-inner"] .sapMToken').waitFor()
    await page.getByRole('searchbox').first().pressSequentially('Pasta')
    await button(page, 'Go').click()
    await until(() => Promise.resolve(page.url().includes('Pasta')), 20)
    const address = page.url()
    const other = await page.context().newPage()
    await other.goto(address)
    const tab = other.locator('[role=tab][aria-selected=true]')
    const dueAt = "$filter=isDueToday eq true and supplier eq 'S-02'&$search=Pasta&$top=200"
    const count = (await demo.read(dueAt)).length
    await tab.filter({ hasText: `Due today (${count})` }).waitFor({ timeout: 60_000 })
    expect(await other.getByRole('searchbox').first().inputValue()).toBe('Pasta')
    await close()
  })

  it('says on the page of one what would be otherwise, which ways there are, and who decided', async () => {
    const { page, errors, close } = await openWindow(browser)
    const { ID, quantity } = await demo.take("urgency eq 'due' and p50 gt 20")
    await openProposal(demo.service, page, ID)
    await button(page, 'What if …').click()
    await field(page, /Promotion/).fill('100')
    await field(page, /Promotion/).press('Tab')
    await dialog(page)
      .getByText(/^With these values: /)
      .waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Close').click()
    for (const [name, text] of [
      ['Alternatives', 'Details'],
      ['Time line', 'Document'],
      ['Applied rules', 'Set by'],
    ] as const) {
      await page.getByRole('tab', { name }).or(page.getByRole('option', { name })).first().click()
      await page.getByText(text, { exact: true }).locator('visible=true').first().waitFor()
    }
    await page.getByText("The ERP's planning data").first().waitFor()
    expect(await seriousIssues(page)).toEqual([])
    expect((await demo.read(`$filter=ID eq ${ID}`))[0]!.quantity).toBe(quantity)
    expect(errors).toEqual([])
    await close()
  })

  it('writes to suppliers about the exceptions of their orders, what is worth most first', async () => {
    const { page, errors, close } = await openWindow(browser, { locale: 'de-DE' })
    await openList(demo.service, page, 'exceptions')
    const values = await rows(page).allInnerTexts()
    const worth = values.map((text) => /([\d.]+(?:,\d\d)?)\s*\|?\s*EUR/.exec(text)?.[1] ?? '0')
    const sums = worth.map((text) => Number(text.replaceAll('.', '').replace(',', '.')))
    expect(sums).toEqual(sums.toSorted((a, b) => b - a))
    for (const at of [0, 1]) await rows(page).nth(at).getByRole('checkbox').click()
    await button(page, 'E-Mail an Lieferanten').click()
    const text = dialog(page).locator('textarea').first()
    await until(async () => (await text.inputValue()).startsWith('Sehr geehrte'), 20)
    await until(async () => !(await seriousIssues(page)).length, 20)
    await dialog(page).locator('.sapMSlt').click()
    await page.getByRole('option', { name: 'English' }).click()
    await until(async () => (await text.inputValue()).startsWith('Dear Sir'), 20)
    expect(errors).toEqual([])
    await close()
  })
})

const held = (page: Page) => page.locator('.restockHeldBar.shown')
const focused = (page: Page, at: number) => rows(page).nth(at).and(page.locator(':focus')).waitFor()
