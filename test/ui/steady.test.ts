// A tab that stays open all day: going back and forth, the service gone for a while, a second tab.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openList, openProposal, openWindow, rows } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

const NAVIGATIONS = 8
const PENDING = "$filter=status eq 'pending'&$orderby=valueAtRisk desc,ID desc"

async function meter(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const read = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const valueOf = (name: string) => metrics.find((each) => each.name === name)!.value
    return { listeners: valueOf('JSEventListeners'), seconds: valueOf('TaskDuration') }
  }
  return { read, countBlocks: () => countBlocks(session) }
}

/** Fiori elements' building blocks that the page holds, those included that were destroyed. */
async function countBlocks(session: CDPSession): Promise<number> {
  const expression = `((Block) => (Block.default ?? Block).prototype)(
    sap.ui.require('sap/fe/core/buildingBlocks/BuildingBlock'))`
  const { result: prototype } = await session.send('Runtime.evaluate', { expression })
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.objectId!,
  })
  const { result: count } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId!,
    functionDeclaration: 'function () { return this.length }',
  })
  return count.value as number
}

async function thereAndBack(page: Page, at: number) {
  await rows(page).nth(at).locator('td').nth(7).click()
  await page.locator('.restockFan svg:visible').waitFor()
  await page.goBack()
  await rows(page).first().waitFor()
}

withUi5('a tab that stays open', () => {
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

  it('rests after Back, and keeps no listener and no row of a page that was left', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page)
    const { read, countBlocks } = await meter(page)
    for (const at of [0, 1]) await thereAndBack(page, at)
    let before = await read()
    const rests = async () => {
      before = await read()
      await page.waitForTimeout(2_000)
      return (await read()).seconds - before.seconds < 1
    }
    await until(rests, 30)
    const blocks = await countBlocks()
    for (let at = 0; at < NAVIGATIONS; at++) await thereAndBack(page, at % 5)
    expect((await read()).listeners - before.listeners).toBeLessThan(5 * NAVIGATIONS)
    expect((await countBlocks()) - blocks).toBeLessThan(5 * NAVIGATIONS)
    expect(errors).toEqual([])
    await close()
  })

  it('keeps a dialog and what is typed when the service is killed, says so, and goes on when it is back', async () => {
    const { page, close } = await openWindow(browser)
    const { ID } = (await demo.read(`${PENDING}&$top=1`))[0]!
    await openProposal(demo.service, page, ID)
    await button(page, 'Approve').click()
    const comment = dialog(page).getByLabel(/Comment/)
    await comment.fill('As agreed by phone')
    const { port } = demo.service
    await demo.service.stop('SIGKILL')
    await button(dialog(page), 'Approve').click()
    await page.getByText('The service cannot be reached.').waitFor()
    expect(await comment.inputValue()).toBe('As agreed by phone')
    await demo.service.start({ PORT: String(port) })
    await until(async () => (await demo.statusOf(ID)) === 'approved', 120)
    await close()
  }, 900_000)

  it('waits while the service is gone and goes on by itself, and another tab sees what was decided', async () => {
    const { page, close } = await openWindow(browser, { user: 'approver' })
    await openList(demo.service, page)
    const other = await page.context().newPage()
    other.setDefaultTimeout(60_000)
    await openList(demo.service, other)
    await page.bringToFront()
    const { row, at } = await demo.within(PENDING)
    const { ID, sku } = row
    await rows(page).nth(at).getByRole('checkbox').click()
    await button(page, 'Approve').click()
    await dialog(page)
      .getByLabel(/Comment/)
      .fill('As agreed by phone')
    const isService = (url: URL) => /^\/(odata|health)/.test(url.pathname)
    await page.route(isService, (route) => route.abort())
    await button(dialog(page), 'Approve').click()
    await button(page, 'Send now').click()
    await page.getByText('The service cannot be reached.').waitFor()
    expect(await demo.statusOf(ID)).toBe('pending')
    await page.unroute(isService)
    await until(async () => (await demo.statusOf(ID)) === 'approved', 20)
    await page.getByText('1 order approved').waitFor()
    const shown = (tab: Page) => rows(tab).nth(at).innerText()
    await until(async () => !(await shown(page)).includes(`${sku} (`), 20)
    await until(async () => (await shown(other)) === (await shown(page)), 20)
    await close()
  })
})
