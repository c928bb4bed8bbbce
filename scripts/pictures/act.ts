// A job of a person, played in an app and photographed step by step.
import type { Locator, Page } from 'playwright-core'
import type { Look } from '../../test/ui/app.ts'
import type { Stage } from './stage.ts'
import type { Locale } from './words.ts'

export interface Act {
  page: Page
  stage: Stage
  locale: Locale
  /** What the app calls it: `words('approve')` is _Approve_ or _Freigeben_. */
  words(key: string): string
  /** Takes the next picture of this job. */
  shot(): Promise<void>
}

export interface Job {
  name: string
  app: 'buyer' | 'admin'
  /** How it is shown in each language, so that all of light and dark, desktop and phone appear. */
  looks: Record<Locale, Look>
  frames: number
  play(act: Act): Promise<void>
}

/** Presses a button, from the menu of those that have no room if it is there. */
export async function press(page: Page, name: string | RegExp, within: Page | Locator = page) {
  const wanted = () => within.getByRole('button', { name, exact: true }).locator('visible=true')
  const menu = page.locator('[id$="-overflowButton"]:visible').first()
  await wanted().or(menu).first().waitFor()
  if (!(await wanted().count())) await menu.click()
  await wanted().first().click()
}

/** The dialog that asks for what an action needs, complete. */
export async function askedFor(page: Page): Promise<Locator> {
  const asking = page.getByRole('dialog').last()
  await asking.locator('input:visible, textarea:visible').first().waitFor()
  return asking
}

export async function fill(page: Page, label: string, value: string) {
  const entry = page.getByRole('dialog').last().getByLabel(label).first()
  await entry.fill(value)
  await entry.press('Tab')
}

/** A day ahead, as it is typed. */
export const dayAhead = (days: number, locale: Locale) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString(locale === 'de' ? 'de-DE' : 'en-US', {
    dateStyle: 'medium',
  })

/** Opens a tab of a list, from the menu of those that have no room if it is there. */
export async function openTab(page: Page, name: string) {
  const tab = page.getByRole('tab', { name }).locator('visible=true').first()
  if (await tab.isVisible()) return tab.click()
  await page.locator('[id$="TabMultipleMode--header-overflow"]:visible').click()
  await page.getByRole('menuitem', { name }).click()
}

/** Where a section begins on a phone, below what stays above it. */
const PHONE_TOP = 225

/** Opens a section of an object page by its tab; on a phone, which has no room for the tabs, by scrolling there. */
export async function openSection(page: Page, name: string) {
  const tab = page.getByRole('tab', { name, exact: true }).locator('visible=true').first()
  if (await tab.isVisible()) return tab.click()
  const heading = page.getByRole('heading', { name: new RegExp(`^${name}`) }).first()
  await page.mouse.move(195, 600)
  // Sections are loaded when they come into view, which moves those below.
  for (let moves = 0; moves < 8; moves++) {
    await heading.scrollIntoViewIfNeeded()
    const { y } = (await heading.boundingBox())!
    if (Math.abs(y - PHONE_TOP) < 30) return
    await page.mouse.wheel(0, y - PHONE_TOP)
    await page.waitForTimeout(600)
  }
}
