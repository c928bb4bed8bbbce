// How many moves of a hand five tasks of a buyer take: a click, a key, a typed text or a flick of 800 pixels is one.
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Locator, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openWindow } from './app.ts'
import { Demo, type Row } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

/** A hand that counts what it does. */
class Hand {
  moves = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(what: Locator) {
    this.moves++
    await what.click()
  }

  async key(key: string) {
    this.moves++
    await this.page.keyboard.press(key)
  }

  async type(text: string) {
    this.moves++
    await this.page.keyboard.type(text)
  }
}

/** A busy machine decides slowly. */
const LONG_MS = 400_000

let demo: Demo
let browser: Browser

/** Begins on Today, in a window of a small laptop. */
async function begin(width = 1366, height = 768) {
  const { page, errors, close } = await openWindow(browser)
  await page.setViewportSize({ width, height })
  await page.goto(`${demo.service.url}/apps/buyer/index.html#/Home`)
  await page.locator('a[href*="view=due"]').first().waitFor()
  return { page, errors, close, hand: new Hand(page) }
}

/** Of the list, and not of Today. */
const rows = (page: Page) => page.locator('.restockList tbody .sapMListTblRow:visible')
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name }).locator('visible=true')
const list = (page: Page) => page.getByRole('link', { name: 'Proposals', exact: true }).first()
const isSettled = (page: Page) => page.waitForTimeout(3_000)

/** The browser shows it without scrolling. */
async function isInSight(what: Locator) {
  await what.first().waitFor()
  const box = await what.first().boundingBox()
  const { height } = what.page().viewportSize()!
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

const shownID = (page: Page) => Number(/Proposals\((\d+)\)/.exec(page.url())?.[1])

/** One that was not seen before is shown, and why it is proposed stands in sight. */
async function isLookedAt(page: Page, seen: Set<number>) {
  await until(async () => shownID(page) > 0 && !seen.has(shownID(page)), 60)
  seen.add(shownID(page))
  const [{ sku }] = (await demo.read(`$filter=ID eq ${shownID(page)}`)) as [Row]
  await page
    .getByRole('heading', { name: new RegExp(sku) })
    .locator('visible=true')
    .first()
    .waitFor()
  const buys = page.getByText(/moves the chance of a stockout from/).locator('visible=true')
  expect(await isInSight(buys)).toBe(true)
}

withUi5('the moves of five tasks', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it('the due line that is dearest to wait for: 1', async () => {
    const { page, hand, close } = await begin()
    const [first] = await demo.read(
      '$filter=isDueToday eq true&$orderby=valueAtRisk desc,ID desc&$top=1',
    )
    await hand.click(page.locator('a[href*="view=due"]').first())
    const row = rows(page).first()
    await row.getByText(first!.sku).first().waitFor()
    expect(await row.innerText()).toContain(first!.sku)
    expect(await isInSight(row)).toBe(true)
    expect(hand.moves).toBeLessThanOrEqual(1)
    await isSettled(page)
    let seen = 0
    for (const each of await rows(page).all()) if (await isInSight(each)) seen++
    expect(seen).toBeGreaterThanOrEqual(15)
    await close()
  })

  it('one quantity understood, why and what it buys: 2', async () => {
    const { page, hand, close } = await begin()
    await list(page).click()
    await rows(page).first().waitFor()
    await isSettled(page)
    await hand.click(rows(page).first().locator('td').nth(3))
    expect(await isInSight(page.getByText(/moves the chance of a stockout from/))).toBe(true)
    await page
      .getByText(/Expected demand \(P50\) is/)
      .first()
      .waitFor()
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 800)
    hand.moves++
    await page.getByText('Safety stock').first().waitFor()
    expect(hand.moves).toBeLessThanOrEqual(2)
    await close()
  })

  it("one supplier's order to a budget: 7", async () => {
    const { page, hand, close } = await begin()
    await hand.click(page.locator('a[href*="#/Suppliers?"]').first())
    const budget = page.getByRole('textbox', { name: /^Budget/ })
    await hand.click(budget)
    await hand.type('2,000')
    await hand.key('Enter')
    await page
      .getByText(/ left$/)
      .first()
      .waitFor()
    await hand.click(button(page, 'Approve'))
    await hand.click(button(dialog(page), 'Approve'))
    await page.getByText(/orders? approved, [\d,.]+\sEUR\./).waitFor({ timeout: LONG_MS })
    expect(hand.moves).toBeLessThanOrEqual(7)
    await close()
  }, 900_000)

  it('why an item was not ordered: 8', async () => {
    const api = await demo.service.api()
    const { data: items } = (await api.get<{ data: Item[] }>('/items?limit=200')).data
    const { sku } = items.find(({ state }) => state === 'enough')!
    const { page, hand, errors, close } = await begin(1500, 900)
    await hand.click(list(page))
    await rows(page).first().waitFor()
    await isSettled(page)
    await hand.click(page.getByRole('searchbox').first())
    await hand.type(sku)
    await hand.key('Enter')
    await tab(page, /^All items \(\d{1,3}\)/).waitFor()
    await hand.click(tab(page, /^All items/))
    await hand.click(rows(page).first().locator('td').nth(1))
    await page
      .getByText(/^Enough (until|for)/)
      .locator('visible=true')
      .first()
      .waitFor()
    await page
      .getByText(/An order is proposed once/)
      .locator('visible=true')
      .first()
      .waitFor()
    await page.locator('.restockFan svg').waitFor()
    // Nothing is ordered that could arrive.
    const order = page.locator('.restockFan').locator('.withOrder, .arrival')
    await until(async () => (await order.count()) === 0, 20)
    expect(errors).toEqual([])
    expect(hand.moves).toBeLessThanOrEqual(8)
    await close()
  })

  it('500 lines, of which 20 need thought: 60', async () => {
    keepDue(demo.service.database, { routine: 480, thought: 20 })
    const { page, hand, close } = await begin()
    await hand.click(list(page))
    await rows(page).first().waitFor()
    await isSettled(page)
    await hand.click(tab(page, /^Routine/))
    await isSettled(page)
    await hand.click(page.locator('.sapMListTbl:visible thead .sapMCb'))
    await hand.click(button(page, 'Approve'))
    await hand.click(page.getByRole('button', { name: /^All \d+$/ }))
    await hand.click(button(dialog(page), 'Approve'))
    await page.getByText(/^480 orders approved/).waitFor({ timeout: LONG_MS })
    await hand.click(tab(page, /^Needs thought/))
    await until(async () => (await rows(page).count()) === 20, 60)
    await rows(page).first().focus()
    await hand.key('Enter')
    const seen = new Set<number>()
    for (let at = 0; at < 20; at++) {
      await isLookedAt(page, seen)
      if (at < 19) await hand.key('n')
    }
    await hand.click(list(page))
    await hand.click(tab(page, /^Needs thought/))
    await until(async () => (await rows(page).count()) === 20, 60)
    await rows(page).first().focus()
    for (let at = 0; at < 20; at++) {
      await hand.key('a')
      await page.waitForTimeout(200)
    }
    await until(async () => !(await demo.read("$filter=status eq 'pending'&$top=1")).length, 120)
    expect(hand.moves).toBeLessThanOrEqual(60)
    await close()
  }, 900_000)
})

interface Item {
  sku: string
  state: string
}

/** Leaves so many due lines that are routine, and so many that need thought; no others are pending. */
function keepDue(path: string, { routine, thought }: { routine: number; thought: number }) {
  const database = new DatabaseSync(path, { timeout: 30_000 })
  const uncertain =
    'value * (calculation_p90 - calculation_p10) >= 500 * (calculation_p90 + calculation_p10 + 1)'
  const due = `status = 'pending' AND kind = 'purchase' AND numbersBefore IS NULL AND orderBy <= date('now')`
  const some = (where: string, count: number) =>
    `SELECT ID FROM (SELECT ID FROM restock_Proposals WHERE ${due} AND valueAtRisk >= 2 AND value < 8000 AND ${where} ORDER BY ID LIMIT ${count})`
  const kept = `${some(`NOT (${uncertain})`, routine)} UNION ${some(uncertain, thought)}`
  database
    .prepare(
      `UPDATE restock_Proposals SET status = 'superseded', openKey = NULL WHERE status = 'pending' AND ID NOT IN (${kept})`,
    )
    .run()
  database.close()
}
