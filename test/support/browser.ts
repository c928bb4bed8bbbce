import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver, type Page } from 'playwright-core'

// In one process the browser would end with its first window.
const args = chromium.args.filter((arg) => arg !== '--single-process')

/** A real browser, as npm brought it. */
export const openBrowser = async (): Promise<Browser> =>
  driver.launch({ executablePath: await chromium.executablePath(), args })

/** A window of its own, with what its page says and asks for. */
export async function openWindow(browser: Browser) {
  const context = await browser.newContext({ locale: 'en-US' })
  const page: Page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  return { page, problems, close: () => context.close() }
}
