// Where an app meets its edges: what is gone, who may not, a slow network, a small screen.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openProposal, openWindow, rows, seriousIssues } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

let demo: Demo
let browser: Browser

const isInSight = async (page: Page, selector: string) => {
  const { y, height } = (await page.locator(selector).first().boundingBox())!
  return y >= 0 && y + height <= page.viewportSize()!.height
}

withUi5('at its edges', () => {
  beforeAll(async () => {
    demo = await Demo.start()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.end()
  })

  it.each([
    ['Proposals(999999)', 'This proposal does not exist, or you may not see it.'],
    ['Items(999999)', 'There is no such item, or you may not see it.'],
    ['Nonsense', 'No page has the address “Nonsense”.'],
  ])('says once that nothing is at %s, and leads back to Today', async (place, text) => {
    const { page, close } = await openWindow(browser)
    await page.goto(`${demo.service.url}/apps/buyer/index.html#/${place}`)
    const today = button(page, 'Go to Today')
    await today.waitFor()
    // Each part of the page is refused by itself.
    await page.waitForTimeout(3_000)
    expect(await page.getByText(text).locator('visible=true').count()).toBe(1)
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    expect(await seriousIssues(page)).toEqual([])
    await today.click()
    await page.locator('.restockTile').first().waitFor()
    expect(page.url()).toMatch(/#\/Home$/)
    await close()
  })

  it('tells a buyer at the administrators’ address so, without an error of its own', async () => {
    const { page, close } = await openWindow(browser)
    const thrown: string[] = []
    page.on('pageerror', (error) => thrown.push(error.message))
    await page.goto(`${demo.service.url}/apps/admin/index.html`)
    await page.locator('.noAccess').waitFor()
    await page.waitForTimeout(2_000)
    expect(thrown).toEqual([])
    await close()
  })

  it('says that it loads while UI5 does', async () => {
    const { page, close } = await openWindow(browser, { locale: 'de-DE' })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/sap-ui-core\.js/, async (route) => {
      await held
      await route.abort()
    })
    await page.goto(`${demo.service.url}/apps/buyer/index.html#/Home`, { waitUntil: 'commit' })
    const said = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('.loading'), '::before').content + document.querySelector('.loading').textContent",
      )
    await until(async () => /Wird geladen/.test(await said().catch(() => '')), 20)
    release()
    await close()
  })

  it('has rows in sight on a phone, and a decision at the foot of a proposal', async () => {
    const { page, errors, close } = await openWindow(browser, { phone: true })
    await page.goto(`${demo.service.url}/apps/buyer/index.html?view=open`)
    await rows(page).first().waitFor()
    await page.locator('[id$="expandBtn"]:visible').first().waitFor()
    expect(await isInSight(page, 'tbody .sapMListTblRow:visible')).toBe(true)
    const [first] = await demo.read("$filter=status eq 'pending'&$top=1&$orderby=valueAtRisk desc")
    await openProposal(demo.service, page, first!.ID)
    const box = (await button(page, 'Approve').boundingBox())!
    expect(box.y).toBeGreaterThan(page.viewportSize()!.height - 120)
    const facts = (await page.locator('[id$="fe::HeaderContentContainer"]').boundingBox())!
    expect(facts.height).toBeLessThanOrEqual(page.viewportSize()!.height / 3)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThan(391)
    expect(errors).toEqual([])
    await close()
  })

  it('has its filters folded at 200 %', async () => {
    const { page, close } = await openWindow(browser)
    await page.setViewportSize({ width: 683, height: 384 })
    await page.goto(`${demo.service.url}/apps/buyer/index.html?view=open`)
    await rows(page).first().waitFor()
    await page.locator('[id$="expandBtn"]:visible').first().waitFor()
    await close()
  })

  it('has a chart that tells each week by pointer and by keys, and a year on demand', async () => {
    const { page, errors, close } = await openWindow(browser)
    const [first] = await demo.read("$filter=status eq 'pending'&$top=1&$orderby=valueAtRisk desc")
    await openProposal(demo.service, page, first!.ID)
    const [chart, readout] = ['[role=slider]', '.restockFanReadout'].map((each) =>
      page.locator(`.restockFan ${each}`),
    )
    await chart!.scrollIntoViewIfNeeded()
    expect(await readout!.innerText()).toMatch(/arrow keys/)
    await chart!.focus()
    await page.keyboard.press('ArrowRight')
    const ahead =
      /^Week until \w+ \d+, \d+: expected demand [\d,]+ PC \(P10 to P90: [\d,]+ – [\d,]+\)/
    expect(await readout!.innerText()).toMatch(ahead)
    expect(await chart!.getAttribute('aria-valuetext')).toMatch(ahead)
    await page.keyboard.press('ArrowLeft')
    expect(await readout!.innerText()).toMatch(/^Week until \w+ \d+, \d+: demand [\d,]+ PC/)
    await page.keyboard.press('End')
    expect(await readout!.innerText()).toMatch(/stock then [\d,]+ \(.+\), with this order [\d,]+/)
    const { x, y, width } = (await chart!.boundingBox())!
    await page.mouse.move(x + width / 4, y + 150)
    expect(await readout!.innerText()).toMatch(/: demand /)
    await page.mouse.move(x + width / 2, y - 200)
    expect(await readout!.innerText()).toMatch(/arrow keys/)
    const bars = page.locator('.restockFan rect.demand')
    expect(await bars.count()).toBe(12)
    await page.getByRole('checkbox', { name: 'Past year' }).click()
    await until(async () => (await bars.count()) > 12, 10)
    const labels = await page.locator('.restockFan text').allTextContents()
    expect(labels).toEqual(expect.arrayContaining(['PC', 'Today']))
    expect(labels.join('|')).toMatch(/Arrival \w+ \d+/)
    expect(await seriousIssues(page)).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  it('says once what is over the limit of a buyer, who may, and takes what fits', async () => {
    const { page, errors, close } = await openWindow(browser)
    const over = await demo.read(
      "$filter=status eq 'pending' and value gt 10000 and supplier ne null&$top=1&$orderby=valueAtRisk desc",
    )
    await page.goto(
      `${demo.service.url}/apps/buyer/index.html#/Suppliers?supplier=${over[0]!.supplier}`,
    )
    await page.locator('tr.sapMLIB:focus').waitFor()
    await page.getByText(/^You may not approve \d+ of the selected lines\..*approver\.$/).waitFor()
    expect(await isInSight(page, 'input[id$="supplier-inner"]')).toBe(true)
    const mark = page.getByText('Not within your limit', { exact: true }).locator('visible=true')
    await mark.first().waitFor()
    expect(await button(page, 'Approve').isDisabled()).toBe(true)
    expect(await seriousIssues(page)).toEqual([])
    await button(page, 'Select what is within my limit').click()
    await until(() => button(page, 'Approve').isEnabled(), 20)
    expect(await mark.count()).toBe(0)
    expect(errors).toEqual([])
    await close()
  })

  it('hands over what is over the limit of a buyer to who may approve it', async () => {
    const { page, errors, close } = await openWindow(browser)
    const [over] = await demo.read(
      "$filter=status eq 'pending' and value gt 10000 and supplier ne null&$top=1&$orderby=valueAtRisk desc",
    )
    await page.goto(
      `${demo.service.url}/apps/buyer/index.html#/Suppliers?supplier=${over!.supplier}`,
    )
    await page.locator('tr.sapMLIB:focus').waitFor()
    await button(page, 'Hand over to …').click()
    await dialog(page).getByRole('textbox').fill('Before the fair')
    expect(await seriousIssues(page)).toEqual([])
    await button(dialog(page), 'Hand over').click()
    await page.getByText(/^\d+ handed over to approver$/).waitFor()
    await until(() => button(page, 'Approve').isEnabled(), 20)
    expect(errors).toEqual([])
    await close()
    const other = await openWindow(browser, { user: 'approver' })
    await other.page.goto(`${demo.service.url}/apps/buyer/index.html#/Home`)
    await other.page
      .getByText(/^buyer passes .+ on to you/)
      .first()
      .waitFor()
    const [told, tiles] = await Promise.all(
      ['[id$="notices"]', '.restockTiles'].map((each) =>
        other.page.locator(each).first().boundingBox(),
      ),
    )
    expect(told!.y).toBeLessThan(tiles!.y)
    expect(other.errors).toEqual([])
    await other.close()
  })
})
