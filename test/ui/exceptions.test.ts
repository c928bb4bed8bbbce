// What no order can mend, in the buyer's app.
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, openList, openWindow, rows } from './app.ts'
import { Demo } from './demo.ts'

const withUi5 = hasUi5() ? describe : describe.skip

withUi5('exceptions', () => {
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

  it('are settled with a comment, and are gone from the view', async () => {
    const { page, errors, close } = await openWindow(browser)
    await openList(demo.service, page, 'exceptions')
    await rows(page).first().waitFor()
    const text = await rows(page).first().innerText()
    await rows(page).first().getByRole('checkbox').click()
    await button(page, 'Settle').click()
    await dialog(page).getByRole('textbox').fill('Arrives on Monday')
    await button(dialog(page), 'Settle').click()
    await until(async () => (await rows(page).first().innerText()) !== text, 20)
    expect(errors).toEqual([])
    await close()
  })
})
