// The buyer app in a real browser: the service as `npm start` runs it, its UI5 libraries, a window.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Service } from '../support/service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Views are read from a built UI5; unbuilt ones take minutes on a machine that does all at once. */
export const hasUi5 = () =>
  existsSync(path.join(root, '.restock/ui5/resources/sap-ui-version.json'))

/**
 * What UI5 1.136 itself writes as errors without a launchpad around it, though nothing is wrong: the
 * app state has no place to be kept, Fiori elements checks its own table metadata, a page that takes more than
 * seven seconds and anything else that takes half a minute on a busy machine is remarked upon, and a toast does
 * not know its own default place.
 */
const OF_UI5_ITSELF = [
  /storeInnerAppStateAsync is not a function/,
  /PropertyInfo(Validator| validation)/,
  /creation mode 'NewPage'/,
  /^\S+ \S+ busy lock for /,
  /PageReady Event was not fired within/,
  /MessageToast\._validateDockPosition/,
]

export interface Look {
  user?: string
  locale?: string
  dark?: boolean
  phone?: boolean
}

export interface Window {
  page: Page
  /** Errors of the console and of the page, but for those of UI5 itself. */
  errors: string[]
  close(): Promise<void>
}

export async function openWindow(browser: Browser, look: Look = {}): Promise<Window> {
  const { user = 'buyer', locale = 'en-US', dark = false, phone = false } = look
  const context = await browser.newContext({
    locale,
    colorScheme: dark ? 'dark' : 'light',
    viewport: phone ? { width: 390, height: 844 } : { width: 1500, height: 900 },
    hasTouch: phone,
    isMobile: phone,
    httpCredentials: { username: user, password: user },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  const note = (text: string) => {
    if (!OF_UI5_ITSELF.some((known) => known.test(text))) errors.push(text.slice(0, 500))
  }
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  page.on('pageerror', (error) => note(String(error?.message ?? error)))
  return { page, errors, close: () => context.close() }
}

/** The list, or one of its views, once it has rows or says that there are none. */
export async function openList({ url }: Service, page: Page, view = 'open') {
  await page.goto('about:blank')
  await page.goto(`${url}/apps/buyer/index.html?view=${view}`)
  await rows(page).first().waitFor()
  // Once all is there UI5 puts the focus into its filters, away from what somebody types before.
  await page.locator('[id*="::FilterField::"]:focus').first().waitFor()
}

export async function openProposal({ url }: Service, page: Page, ID: number) {
  // A change of the hash alone would keep what an earlier test left open.
  await page.goto('about:blank')
  await page.goto(`${url}/apps/buyer/index.html#/Proposals(${ID})`)
  await page.locator('.restockFan svg').waitFor()
}

/** Rows of the table that is shown. */
export const rows = (page: Page): Locator => page.locator('tbody .sapMListTblRow:visible')

export const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true }).locator('visible=true').first()

/** The field of a dialog that this label belongs to. */
export const field = (page: Page, label: string | RegExp) =>
  page.getByRole('dialog').getByLabel(label).first()

export const dialog = (page: Page) => page.getByRole('dialog').last()

/** What axe-core finds serious or critical; but the list of tokens in UI5's own input, which has no name there. */
export async function seriousIssues(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: object): Promise<{ violations: Violation[] }> }
    }
    interface Violation {
      id: string
      impact: string
      nodes: { html: string }[]
    }
    const { violations } = await axe.run({
      exclude: [
        'ul.sapMTokenizerScrollContainer',
        'ul[aria-multiselectable]',
        'input[id*="-Tokenizer-"]',
      ],
    })
    return violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}
