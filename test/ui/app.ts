// Opens the apps in a real browser, served by the service as `npm start` runs it.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Service } from '../support/service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The UI5 libraries must be built, because views from unbuilt ones take minutes on a busy machine. */
export const hasUi5 = () =>
  existsSync(path.join(root, '.restock/ui5/resources/sap-ui-version.json'))

/**
 * Harmless errors that UI5 1.136 logs without a launchpad: app state cannot be stored, Fiori elements checks its
 * own table metadata, slow pages (seven seconds) and other slow work (half a minute), the default position of a
 * toast, and a focus that is to be restored on a page that is being left.
 */
const OF_UI5_ITSELF = [
  /storeInnerAppStateAsync is not a function/,
  /PropertyInfo(Validator| validation)/,
  /creation mode 'NewPage'/,
  /^\S+ \S+ busy lock for /,
  /PageReady Event was not fired within/,
  /MessageToast\._validateDockPosition/,
  // An address that a test types has no state of history until the router has seen it.
  /calling focus method - TypeError: Cannot read properties of null \(reading 'focusInfo'\)/,
  // Views of other things than proposals have no such element to filter by, and leave the filter out.
  /could not find propertyMetadata of : (location|supplier|urgency|orderBy)/,
]

export interface Look {
  user?: string
  locale?: string
  dark?: boolean
  phone?: boolean
}

export interface Window {
  page: Page
  /** Errors of the console and the page, without UI5's harmless ones. */
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
  page.setDefaultTimeout(120_000)
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

/** Opens the list or one of its views and waits for rows or the text for an empty table. */
export async function openList({ url }: Service, page: Page, view = 'open') {
  await page.goto('about:blank')
  await page.goto(`${url}/apps/buyer/index.html?view=${view}`)
  await rows(page).first().waitFor()
  // When the page is complete UI5 moves the focus to the filters, so earlier input would be lost; on a phone they are folded.
  const filters = page.locator('[id*="::FilterField::"]:focus')
  await filters.or(page.locator('[id$="expandBtn"]:visible')).first().waitFor()
}

export async function openProposal({ url }: Service, page: Page, ID: number) {
  // Changing only the hash would keep dialogs of an earlier test open.
  await page.goto('about:blank')
  await page.goto(`${url}/apps/buyer/index.html#/Proposals(${ID})`)
  await page.locator('.restockFan svg').waitFor()
}

/** Rows of the visible table. */
export const rows = (page: Page): Locator => page.locator('tbody .sapMListTblRow:visible')

export const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true }).locator('visible=true').first()

/** The field of a dialog with this label. */
export const field = (page: Page, label: string | RegExp) =>
  page.getByRole('dialog').getByLabel(label).first()

export const dialog = (page: Page) => page.getByRole('dialog').last()

/** Serious and critical findings of axe-core, without UI5's own token list, which has no label. */
export async function seriousIssues(page: Page): Promise<string[]> {
  const found = await seriousIssuesNow(page)
  if (!found.length) return found
  // A list that is being read has a header and no line yet.
  await page.waitForTimeout(3_000)
  return seriousIssuesNow(page)
}

async function seriousIssuesNow(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async () => {
    interface Found {
      querySelector(selector: string): Found | null
    }
    const { axe, document } = globalThis as unknown as {
      axe: { run(context: object): Promise<{ violations: Violation[] }> }
      document: Found
    }
    interface Violation {
      id: string
      impact: string
      nodes: { html: string; target: string[] }[]
    }
    // UI5's own: where cells stand below their line, their row and that of their header, which is there before any line,
    // have no role of a row. Other rows own them by aria-owns, which axe takes for children alone.
    const isOfCellsBelow = ({ target }: Violation['nodes'][number]) =>
      !!document
        .querySelector(target[0]!)
        ?.querySelector('.sapMListTblSubRow, .sapMTablePopinColumn > [role=columnheader]')
    const { violations } = await axe.run({
      exclude: [
        'ul.sapMTokenizerScrollContainer',
        'ul[aria-multiselectable]',
        'input[id*="-Tokenizer-"]',
      ],
    })
    return violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => ({
        id,
        nodes: nodes.filter((node) => id !== 'aria-required-children' || !isOfCellsBelow(node)),
      }))
      .filter(({ nodes }) => nodes.length)
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

/** A number as the apps write it in English. */
export const numberIn = (text: string) => Number(text.replaceAll(',', ''))
