// One scene is one window, and may take several pictures.
import type { Locator, Page } from 'playwright-core'
import { type Look, rows } from '../../test/ui/app.ts'
import { askedFor, press } from './act.ts'
import type { Stage } from './stage.ts'

export interface SceneAct {
  page: Page
  stage: Stage
  words(key: string): string
  /** @param part what of the page to take; the whole window without */
  shot(name: string, part?: Locator): Promise<void>
}

export interface Scene {
  name: string
  app: 'buyer' | 'admin'
  /** English, light, on a desktop and as the app's first user without. */
  look?: Look
  play(act: SceneAct): Promise<void>
}

export const shown = (page: Page) =>
  page.locator('[role=dialog]:visible, [role=alertdialog]:visible').last()

/** A dialog that a button opens: taken, then left. */
export async function takeDialog({ page, shot }: SceneAct, opener: string, name: string) {
  await press(page, opener)
  await shot(name, await askedFor(page))
  await leave(page)
}

/** What UI5 calls it. */
export const DELETE = /^(Delete|Löschen)$/

/** A question before something that cannot be taken back. */
export async function takeQuestion(
  { page, shot }: SceneAct,
  opener: string | RegExp,
  name: string,
) {
  await press(page, opener)
  await shown(page).waitFor()
  await shot(name, shown(page))
  await leave(page)
}

export async function leave(page: Page) {
  await shown(page).getByRole('button').last().click()
  await shown(page).waitFor({ state: 'hidden' })
}

export const select = (page: Page, at = 0) => {
  const row = rows(page).nth(at)
  return row.getByRole('checkbox').or(row.getByRole('radio')).first().click()
}
