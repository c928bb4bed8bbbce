// Takes pictures of pages in a browser, as WebP files: a tenth of the size of PNG.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'

const QUALITY = 72

const MOVING_MS = 900

/** Room around what is cut out, in pixels. */
const MARGIN = 12

/** Waits until nothing is loaded and nothing moves; behind a question before deleting the page stays busy. */
export async function settle(page: Page, part?: Locator) {
  await page.waitForLoadState('networkidle')
  const busy = page.locator('.sapUiLocalBusyIndicator:visible, .sapMBusyDialog:visible').first()
  if (!part) await busy.waitFor({ state: 'hidden' })
  await page.waitForTimeout(MOVING_MS)
}

/** @param part what of the page to take; the whole window without, or where it is to be whole */
export async function photograph(page: Page, file: string, part?: Locator, isWhole = false) {
  await settle(page, part)
  const box = !isWhole && part && (await part.boundingBox())
  const clip = box && {
    x: Math.max(0, box.x - MARGIN),
    y: Math.max(0, box.y - MARGIN),
    width: box.width + 2 * MARGIN,
    height: box.height + 2 * MARGIN,
    scale: 1,
  }
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'webp' as const, quality: QUALITY },
    ...(clip && { clip }),
  })
  await session.detach()
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, Buffer.from(data, 'base64'))
}
