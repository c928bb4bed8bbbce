// The list apart from decisions: groups, export, value helps, inline quantities, languages.
import { readFileSync } from 'node:fs'
import { strToU8, unzipSync, zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import {
  button,
  dialog,
  hasUi5,
  type Look,
  numberIn,
  openList,
  openWindow,
  rows,
  seriousIssues,
} from './app.ts'
import { Demo } from './demo.ts'
import { fileOf, rowsOfSheet } from './workbook.ts'

const withUi5 = hasUi5() ? describe : describe.skip

let demo: Demo
let browser: Browser

async function openListWindow(look: Look = {}, view?: string) {
  const window = await openWindow(browser, look)
  await openList(demo.service, window.page, view)
  return window
}

const namedTwice = (names: string[]) => names.filter((name, at) => names.indexOf(name) !== at)

/** What can be chosen on a tab of the view settings. */
async function offered(page: Page, tab: string) {
  await dialog(page).getByRole('tab', { name: tab }).click()
  await dialog(page).getByRole('combobox').last().press('F4')
  const options = page.getByRole('option').locator('visible=true')
  await options.first().waitFor()
  const names = (await options.allInnerTexts()).filter((name) => name.trim())
  await page.keyboard.press('Escape')
  return names
}

const quantities = (page: Page) => rows(page).locator('input[type=text]')

withUi5('the list', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('says what is wrong with a quantity as it is typed, and approves the one that is right', async () => {
    const { page, errors, close } = await openListWindow()
    const { ID, sku, location, quantity, lotSize } = await demo.take('lotSize gt 1')
    const search = page.getByRole('searchbox').first()
    await search.fill(sku)
    await search.press('Enter')
    const row = rows(page)
      .filter({ hasText: `${sku} (` })
      .filter({ hasText: location })
      .first()
    const typed = row.locator('input[type=text]')
    await typed.fill(String(Number(quantity) + 1))
    await page.getByText(`Orders are multiples of ${lotSize}.`).first().waitFor()
    const more = String(Number(quantity) + lotSize)
    const before = await row.innerText()
    await typed.fill(`${more.slice(0, -3)}${more.length > 3 ? ',' : ''}${more.slice(-3)}`)
    await page.getByText(`Orders are multiples of ${lotSize}.`).first().waitFor({ state: 'hidden' })
    const { value } = (await demo.read(`$filter=ID eq ${ID}`))[0]!
    const worth = (Number(value) / Number(quantity)) * Number(more)
    expect(before).not.toContain(money(worth))
    expect(await row.innerText()).toContain(money(worth))
    await row.getByRole('checkbox').click()
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    await page.getByText(`1 order approved, ${money(worth)} EUR.`).waitFor()
    expect(await demo.read(`$filter=ID eq ${ID}`)).toMatchObject([
      { status: 'approved', quantity: more },
    ])
    await row.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await close()
  })

  it('approves what it shows, and not what a sync has made of it since', async () => {
    const { view, shown } = await fullView()
    const { page, close } = await openListWindow({}, view)
    const [first, last] = [shown[0]!, shown.at(-1)!]
    expect(shown.length).toBeGreaterThan(await rows(page).count())
    demo.move(first.ID)
    demo.move(last.ID)
    await page.locator('.sapMListTbl:visible thead .sapMCb').click()
    await button(page, 'Approve').click()
    await page.getByRole('button', { name: /^(All|The first) [\d,]+$/ }).click()
    await button(dialog(page), 'Approve').click()
    for (const { ID, sku, location, quantity } of [first, last]) {
      await page
        .getByText(`${sku} at ${location}: Not decided, because it has changed since you saw it`)
        .first()
        .waitFor({ timeout: 180_000 })
      expect(await demo.read(`$filter=ID eq ${ID}`)).toMatchObject([
        { status: 'pending', quantity: String(Number(quantity) * 10) },
      ])
    }
    await close()
  })

  it('lists the locations, and filters by one', async () => {
    const { page, errors, close } = await openListWindow()
    const before = await shownCount(page)
    await page.locator('[id$="FilterField::location-inner-vhi"]').click()
    await dialog(page).getByRole('row').nth(1).waitFor()
    expect(await lastingIssues(page)).toEqual([])
    await dialog(page).getByText('Warehouse, United Kingdom').first().waitFor()
    // While the dialog loads it ignores Cancel, so the click is repeated.
    await until(async () => {
      const cancel = button(dialog(page), 'Cancel')
      if (await cancel.isVisible()) await cancel.click({ timeout: 2_000 })
      return (await page.getByRole('dialog').count()) === 0
    })
    const location = page.locator('[id$="FilterField::location-inner-inner"]')
    await location.fill('UK')
    await location.press('Tab')
    await page.locator('[id$="FilterField::location-inner"] .sapMToken').waitFor()
    await button(page, 'Go').click()
    await until(async () => (await shownCount(page)) < before)
    expect(errors).toEqual([])
    await close()
  })

  it('groups by supplier', async () => {
    const { page, errors, close } = await openListWindow({}, 'due')
    await page.locator('[id$="LineItem-settings"]:visible').click()
    await dialog(page).getByRole('row').nth(10).waitFor()
    const columns = await dialog(page).locator('tbody .sapMListTblRow').allInnerTexts()
    expect(columns.filter((name) => /i18n>|\b[a-z]+[A-Z]\w*/.test(name))).toEqual([])
    expect(namedTwice(columns)).toEqual([])
    for (const name of ['Sort', 'Filter'])
      expect([name, namedTwice(await offered(page, name))]).toEqual([name, []])
    await dialog(page).getByRole('tab', { name: 'Group' }).click()
    const settings = page.getByRole('dialog', { name: 'View Settings' })
    await settings.getByRole('combobox').last().fill('Supplier')
    await page.keyboard.press('Enter')
    await button(settings, 'OK').click()
    const groups = page.locator('.sapMGHLI:visible')
    await groups.first().waitFor()
    const [first] = await demo.read(`$filter=${DUE} and isSmall eq false&$orderby=supplier&$top=1`)
    expect(await groups.first().innerText()).toContain(first!.supplier)
    expect(errors).toEqual([])
    await close()
  })

  it('shows what is open at a supplier and the minimum of its orders', async () => {
    const [first] = await demo.read(
      `$filter=${PENDING} and supplier ne null&$orderby=supplier&$top=1`,
    )
    demo.setMinimum(first!.supplier, '12345678')
    const { page, errors, close } = await openListWindow({}, 'supplier')
    const group = page.locator('.sapMGHLI:visible').filter({ hasText: first!.supplier }).first()
    await group.waitFor()
    expect(await group.innerText()).toMatch(
      /open [\d,.]+\s\w+ · minimum 12,345,678\s\w+, .* missing/,
    )
    expect(errors).toEqual([])
    await close()
    const phone = await openWindow(browser, { phone: true })
    await phone.page.goto(`${demo.service.url}/apps/buyer/index.html?view=supplier`)
    await phone.page.locator('.sapMGHLI:visible').first().waitFor()
    await phone.close()
  })

  it('exports what it shows as a spreadsheet', async () => {
    const { page, errors, close } = await openListWindow({}, 'stockout')
    const count = await shownCount(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[id$="LineItem-export-internalSplitBtn-textButton"]:visible').click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
    const bytes = readFileSync(await download.path())
    expect(rowsOfSheet(bytes)).toBe(count + 1)
    const texts = fileOf(bytes, 'xl/sharedStrings.xml')
    expect(texts).toMatch(/>Proposal<.*>Quantity<.*>prop_\d+</s)
    expect(texts).toMatch(/>SKU<.*>SKU: name<.*>Version</s)
    const sheet = fileOf(bytes, 'xl/worksheets/sheet1.xml')
    const cell = /(<c r="G2"[^>]*><v>)(\d+)(<\/v>)/
    const quantity = Number(cell.exec(sheet)?.[2])
    expect(quantity).toBeGreaterThan(0)
    expect(fileOf(bytes, 'xl/worksheets/sheet2.xml')).toContain('<row')
    const changed = { ...unzipSync(bytes) }
    const doubled = sheet.replace(cell, `$1${2 * quantity}$3`)
    changed['xl/worksheets/sheet1.xml'] = strToU8(doubled)
    await page.getByRole('button', { name: 'Read back a changed export' }).first().click()
    const file = {
      name: 'list.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync(changed)),
    }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText(`To change: 1 · not possible: 0 · as before: ${count - 1}`).waitFor()
    await button(dialog(page), 'Take over').click()
    const typed = quantities(page).first()
    await until(async () => numberIn(await typed.inputValue()) === 2 * quantity)
    expect(errors).toEqual([])
    await close()
  })

  it('fills a budget with what protects most, and approves the lines as they are shown', async () => {
    const [first] = await demo.read(
      `$filter=${PENDING} and supplier ne null&$orderby=supplier desc&$top=1`,
    )
    const { page, errors, close } = await openListWindow()
    await button(page, 'Fill a budget').click()
    const filling = page.getByRole('dialog', { name: 'Fill a budget or a container' })
    await filling.getByRole('combobox', { name: 'Supplier' }).fill(first!.supplier)
    await page.keyboard.press('Tab')
    await filling.getByLabel('Budget', { exact: true }).fill('2,000')
    const lines = filling.locator('tbody').first().locator('.sapMListTblRow')
    await lines.nth(1).waitFor()
    const before = await lines.count()
    expect(await lastingIssues(page)).toEqual([])
    await lines.first().getByRole('checkbox').click()
    await filling.getByText(new RegExp(`^${before - 1} lines?, .* left: `)).waitFor()
    await filling.getByRole('button', { name: /^Left out/ }).waitFor()
    const approve = filling.getByRole('button', { name: /^Approve/ })
    const asked = /^Approve (\d+) lines?, ([\d,.]+)\sEUR/.exec(await approve.innerText())!
    await approve.click()
    await page
      .getByText(new RegExp(`^${asked[1]} orders? approved, ${asked[2]}\\sEUR\\.`))
      .waitFor()
    await filling.waitFor({ state: 'hidden' })
    const approved = await demo.read(
      `$filter=status eq 'approved' and supplier eq '${first!.supplier}'`,
    )
    expect(approved.length).toBeGreaterThanOrEqual(before - 1)
    expect(errors).toEqual([])
    await close()
  })

  it('speaks German, in its refusals too', async () => {
    const { page, errors, close } = await openListWindow({ locale: 'de-DE' })
    const text = await page.locator('body').innerText()
    for (const word of ['Heute fällig', 'Menge', 'Freigeben', 'Lieferant']) {
      expect(text).toContain(word)
    }
    const typed = quantities(page).first()
    await typed.fill('0')
    const told = page.locator('[id$="-message-text"]', { hasText: 'eine ganze Zahl über 0' })
    // The list moves the focus to itself when it is complete.
    await until(async () => {
      await typed.focus()
      return told.isVisible()
    })
    expect(errors).toEqual([])
    await close()
  })

  it.each([
    ...['open', 'due', 'stockout', 'value', 'supplier', 'second', 'exceptions', 'blocked', 'all'],
  ])('has no serious barrier in its view %s', async (view) => {
    const { page, errors, close } = await openListWindow({}, view)
    expect(await lastingIssues(page)).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  it('keeps what is typed when the session ends, and goes on after signing in again', async () => {
    const { page, close } = await openListWindow()
    const { row, at } = await demo.within(OPEN)
    const { ID, quantity, lotSize } = row
    const typed = quantities(page).nth(at)
    const value = String(Number(quantity) + lotSize)
    await typed.fill(value)
    await rows(page).nth(at).getByRole('checkbox').click()
    const isOver = (url: URL) => url.pathname.startsWith('/odata/')
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').waitFor()
    await page.route(isOver, (route) => route.fulfill({ status: 401 }))
    await button(dialog(page), 'Approve').click()
    const told = page.getByRole('alertdialog')
    await told.getByText('Your session has ended.').waitFor()
    expect(await page.getByText('Communication error').count()).toBe(0)
    expect(await demo.statusOf(ID)).toBe('pending')
    const [again] = await Promise.all([
      page.waitForEvent('popup'),
      button(told, 'Sign in again').click(),
    ])
    await rows(again).first().waitFor()
    expect(numberIn(await quantities(again).nth(at).inputValue())).toBe(Number(value))
    await again.close()
    await page.unroute(isOver)
    await button(told, 'Continue').click()
    await until(async () => (await demo.statusOf(ID)) === 'approved')
    expect((await demo.read(`$filter=ID eq ${ID}`))[0]!.quantity).toBe(value)
    await close()
  })
})

/** A view of one urgency with more than a screen of lines: a try before may have approved those of the other. */
async function fullView() {
  const of = (urgency: string) =>
    demo.read(`$filter=${PENDING} and urgency eq '${urgency}'&$orderby=valueAtRisk desc,ID desc`)
  const shown = await of('stockout_before_arrival')
  return shown.length > 40
    ? { view: 'stockout', shown }
    : { view: 'out', shown: await of('stocked_out') }
}

/** Without cents from 1,000 on. */
const money = (amount: number) => {
  const digits = amount < 1_000 ? 2 : 0
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return amount.toLocaleString('en-US', options)
}

const PENDING = "status eq 'pending'"
const DUE = 'isDueToday eq true'
const OPEN = "$filter=status eq 'pending'&$orderby=valueAtRisk desc,ID desc"

/** Serious findings that remain when the page is complete. */
async function lastingIssues(page: Page): Promise<string[]> {
  let issues: string[] = []
  await until(async () => !(issues = await seriousIssues(page)).length, 15).catch(() => {})
  return issues
}

/** Waits for the count in the selected tab's text. */
async function shownCount(page: Page): Promise<number> {
  const tab = page.locator('[role=tab][aria-selected=true]').filter({ hasText: /\(\d/ })
  return Number(/\(([\d,]+)\)/.exec(await tab.innerText())![1]!.replaceAll(',', ''))
}
