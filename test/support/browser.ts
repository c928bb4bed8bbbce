import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver, type Page } from 'playwright-core'

// The apps need no WebGL, and to draw them by its emulation takes a multiple of the time.
chromium.setGraphicsMode = false

// With --single-process the browser would end when its first window is closed.
const args = chromium.args.filter((arg) => arg !== '--single-process')

const UNPACK = "(await import('@sparticuz/chromium')).default.executablePath()"

/** Moves the unpacked browser to its final folder, so that other workers never start an incomplete one. */
async function unpack() {
  const shared = os.tmpdir()
  if (existsSync(path.join(shared, 'chromium'))) return
  const own = await mkdtemp(path.join(shared, 'restock-chromium-'))
  const env = { ...process.env, TMPDIR: own }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `await ${UNPACK}`], {
    ...{ cwd: import.meta.dirname, env },
  })
  // The executable is moved last, because other workers check for it. Files of another worker are kept.
  const last = (name: string) => Number(name === 'chromium')
  for (const name of (await readdir(own)).sort((a, b) => last(a) - last(b))) {
    await rename(path.join(own, name), path.join(shared, name)).catch(() => {})
  }
  await rm(own, { recursive: true })
}

/** The Chromium of the npm package. */
export async function openBrowser(): Promise<Browser> {
  await unpack()
  return driver.launch({ executablePath: await chromium.executablePath(), args })
}

/** A new window that records the page's console messages and errors. */
export async function openWindow(browser: Browser) {
  const context = await browser.newContext({ locale: 'en-US' })
  const page: Page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  return { page, problems, close: () => context.close() }
}
