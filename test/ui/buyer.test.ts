import { DatabaseSync } from 'node:sqlite'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { Service, until } from '../support/service.ts'
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

// They are built before (test/support/build-ui5.ts); there are none where npm cannot be reached.
const withUi5 = hasUi5() ? describe : describe.skip

let service: Service
let browser: Browser
let window: Window
const open: Window[] = []

const newWindow = async (look = {}) => {
  const opened = await openWindow(browser, look)
  open.push(opened)
  return opened
}

interface Row {
  ID: number
  sku: string
  quantity: string
  moq: number
  lotSize: number
  status: string
}

/** As the list reads it. */
async function read(query: string, user = 'buyer'): Promise<Row[]> {
  const Authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  const answer = await fetch(`${service.url}/odata/v4/buyer/Proposals?${query}`, {
    headers: { Authorization },
  })
  return ((await answer.json()) as { value: Row[] }).value
}

const statusOf = async (ID: number) => (await read(`$filter=ID eq ${ID}`))[0]!.status

/** Pending ones that no other test has touched. */
const taken = new Set<number>()
async function take(filter: string): Promise<Row> {
  const found = await read(`$filter=status eq 'pending' and ${filter}&$orderby=ID&$top=50`)
  const row = found.find(({ ID }) => !taken.has(ID))!
  taken.add(row.ID)
  return row
}

withUi5('the buyer’s morning', () => {
  beforeAll(async () => {
    service = await Service.inTemporaryFolder(4871)
    // Where everything runs at once the demo takes longer than this waits by itself.
    const restock = { secondApproverAbove: '400' }
    await service.start({ CDS_CONFIG: JSON.stringify({ restock }) }).catch(() => {})
    await until(async () => {
      const api = await service.api()
      return (await api.get('/syncs/sync_1')).data.status === 'succeeded'
    }, 240)
    browser = await openBrowser()
    window = await newWindow()
  }, 300_000)
  // What a test provokes it takes out of the list itself.
  afterEach(() => {
    const errors = open.flatMap((each) => each.errors.splice(0))
    expect(errors).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await service?.clean()
  })

  it('starts at the tiles, with what waits and how old the numbers are', async () => {
    const { page } = window
    await page.goto(service.url)
    await page.getByText('Data as of').waitFor()
    expect(await page.locator('.tiles .count').count()).toBe(5)
    expect(await seriousIssues(page)).toEqual([])
    await page.getByRole('link', { name: /Due today/ }).click()
    await rows(page).first().waitFor()
    expect(page.url()).toContain('view=due')
  })

  it('shows the most urgent first, and what a row says', async () => {
    const { page } = window
    await rows(page).first().getByText('Out of stock').waitFor()
    expect(await page.locator('#shell').innerText()).toContain('Data as of')
    expect(await seriousIssues(page)).toEqual([])
  })

  it('opens one and reads why, with the chart and its table', async () => {
    const { page } = window
    const { ID } = await take('lotSize gt 1')
    await openProposal(service, page, ID)
    await page.getByText('Net requirement').first().waitFor()
    await page.getByText(/Expected demand \(P50\)/).waitFor()
    const label = await page.locator('.restockFan svg').getAttribute('aria-label')
    expect(label).toContain('The table below has the numbers')
    await page.getByText('As proposed').first().waitFor()
    expect(await seriousIssues(page)).toEqual([])
  })

  it('changes the quantity against the lot size, is told why, and then within it', async () => {
    const { page } = window
    const { ID, quantity, lotSize } = await take('lotSize gt 1')
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    const entered = field(page, /Quantity/)
    await entered.fill(String(Number(quantity) + 1))
    await button(dialog(page), 'Approve').click()
    const said = async () => (await page.getByRole('dialog').allInnerTexts()).join(' ')
    await until(async () => /cannot be ordered: orders are multiples of/.test(await said()), 20)
    expect(await statusOf(ID)).toBe('pending')
    // The message lies over the dialog; what was entered there stays.
    await page.keyboard.press('Escape')
    await page.getByText(/cannot be ordered/).waitFor({ state: 'hidden' })
    if (!(await entered.isVisible())) await button(page, 'Approve').click()
    const more = Number(quantity) + lotSize
    await entered.fill(String(more))
    await button(page.getByRole('dialog'), 'Approve').click()
    await until(async () => (await statusOf(ID)) === 'approved', 20)
    const [row] = await read(`$filter=ID eq ${ID}`)
    expect(Number(row!.quantity)).toBe(more)
    window.errors.length = 0
  })

  it('rejects with a reason', async () => {
    const { page } = window
    const { ID } = await take("urgency eq 'due'")
    await openProposal(service, page, ID)
    await button(page, 'Reject').click()
    await field(page, /Reason/).fill('Too early')
    await field(page, /Reason/).press('Enter')
    await button(dialog(page), 'Reject').click()
    await until(async () => (await statusOf(ID)) === 'rejected', 20)
  })

  it('puts one off until a day', async () => {
    const { page } = window
    const { ID } = await take("urgency eq 'ahead'")
    await openProposal(service, page, ID)
    await button(page, 'Snooze').click()
    await field(page, /Until/).fill('Jan 15, 2099')
    await button(dialog(page), 'Snooze').click()
    await until(async () => (await statusOf(ID)) === 'snoozed', 20)
  })

  it('is told both numbers of one whose stock has moved, and may decide anew', async () => {
    const { page } = window
    const { ID, sku } = await take("urgency eq 'ahead' and lotSize gt 1")
    const database = new DatabaseSync(service.database)
    database.prepare('UPDATE restock_Stock SET onHand = 100000 WHERE sku = ?').run(sku)
    database.close()
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    const refusal = page.getByRole('alertdialog')
    await refusal
      .getByText(/was proposed, 0 would be proposed now/)
      .first()
      .waitFor()
    expect(await statusOf(ID)).toBe('pending')
    window.errors.length = 0
  })

  it('needs a second person above the limit of one', async () => {
    const { page } = window
    const { ID } = await take('value gt 400 and value lt 10000')
    await openProposal(service, page, ID)
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    await until(async () => (await statusOf(ID)) === 'awaiting_second_approval', 20)
    const second = await newWindow({ user: 'approver' })
    await openList(service, second.page, 'second')
    await openProposal(service, second.page, ID)
    await button(second.page, 'Approve').click()
    await button(dialog(second.page), 'Approve').click()
    await until(async () => (await statusOf(ID)) === 'approved', 20)
  })

  it('is all to be seen by the auditor, who changes nothing', async () => {
    const { page } = await newWindow({ user: 'auditor' })
    const { ID } = await take("urgency eq 'due'")
    await openProposal(service, page, ID)
    for (const name of ['Approve', 'Reject', 'Snooze', 'Cancel order']) {
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
    const approved = async () => (await read(`$filter=${decided}&$select=ID`)).length
    const before = await approved()
    const table = page.locator('.sapMListTbl:visible')
    while ((await rows(page).count()) < 200) {
      const count = await rows(page).count()
      // The table is drawn anew as it grows.
      await rows(page)
        .last()
        .scrollIntoViewIfNeeded()
        .catch(() => {})
      await until(async () => (await rows(page).count()) > count, 20)
    }
    await table.locator('thead .sapMCb').click()
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    await until(async () => (await approved()) >= before + 190, 240)
    window.errors.length = 0
  })
})
