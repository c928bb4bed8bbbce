import path from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { openWindow } from '../../test/ui/app.ts'
import type { Job } from './act.ts'
import { photograph } from './camera.ts'
import { findingsOf, type Form } from './forms.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { type Locale, wordsOf } from './words.ts'

/** Large enough for the apps, and small enough to be read where a page of documentation shrinks it. */
export const DESKTOP = { width: 1280, height: 900 }

/** How a scene is played. */
export interface SceneTake {
  browser: Browser
  stage: Stage
  scene: Scene
  folder: string
  /** Takes the whole window in this form, whatever the scene asks for, and says what is wrong with it. */
  form?: Form
}

export interface Take {
  browser: Browser
  stage: Stage
  job: Job
  locale: Locale
  /** Where `<job>-1.webp` and so on are written. */
  folder: string
}

/** Plays a job and takes its pictures. @returns the errors that the browser told */
export async function playJob({ browser, stage, job, locale, folder }: Take): Promise<string[]> {
  const look = job.looks[locale]
  const user = job.app === 'admin' ? 'admin' : 'buyer'
  const region = locale === 'de' ? 'de-DE' : 'en-US'
  const { page, errors, close } = await openWindow(browser, { user, locale: region, ...look })
  page.setDefaultTimeout(30_000)
  if (!look.phone) await page.setViewportSize(DESKTOP)
  let taken = 0
  const shot = () => photograph(page, path.join(folder, `${job.name}-${++taken}.webp`))
  try {
    await job.play({ page, stage, locale, words: wordsOf(locale, job.app), shot })
  } finally {
    await close()
  }
  if (taken !== job.frames) throw new Error(`${job.name}: ${taken} pictures, not ${job.frames}`)
  return errors
}

/** Plays a scene and takes its pictures. @returns the errors that the browser told, and what is wrong in the form */
export async function playScene(take: SceneTake): Promise<string[]> {
  const { browser, stage, scene, folder, form } = take
  const user = scene.app === 'admin' ? 'admin' : 'buyer'
  const look = { user, ...scene.look, ...form?.look }
  const { page, errors, close } = await openWindow(browser, look)
  page.setDefaultTimeout(30_000)
  if (form) await page.setViewportSize(form)
  else if (!look.phone) await page.setViewportSize(DESKTOP)
  const words = wordsOf(look.locale?.startsWith('de') ? 'de' : 'en', scene.app)
  const findings: string[] = []
  const shot = async (name: string, part?: Locator) => {
    await photograph(page, path.join(folder, `${name}.webp`), part, Boolean(form))
    if (form) findings.push(...(await findingsOf(page)).map((each) => `${name}: ${each}`))
  }
  try {
    await scene.play({ page, stage, words, shot })
  } finally {
    await close()
  }
  return [...errors, ...findings]
}
