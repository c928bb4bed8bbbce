// The windows in which every page and dialog is looked at, and what a program can say of one: errors, barriers, texts
// that are cut.
import type { Page } from 'playwright-core'
import { type Look, seriousIssues } from '../../test/ui/app.ts'

export interface Form {
  name: string
  width: number
  height: number
  look: Look
}

/** Each width, both languages, light and dark; 640 pixels are what 200 % leave of 1,280. */
export const FORMS: Form[] = [
  { name: '1280', width: 1280, height: 800, look: { locale: 'de-DE' } },
  { name: '1366', width: 1366, height: 768, look: { dark: true } },
  { name: '1440', width: 1440, height: 900, look: {} },
  { name: '1920', width: 1920, height: 1080, look: { dark: true, locale: 'de-DE' } },
  { name: 'phone', width: 390, height: 844, look: { phone: true } },
  { name: '200', width: 640, height: 400, look: { locale: 'de-DE' } },
]

export async function findingsOf(page: Page): Promise<string[]> {
  const cut = (await cutTexts(page)).map((text) => `cut: ${text}`)
  return [...(await seriousIssues(page)), ...cut]
}

interface Shown {
  children: ArrayLike<unknown>
  closest(selector: string): unknown
  offsetParent: unknown
  parentElement: Shown | null
  textContent: string
  scrollWidth: number
  clientWidth: number
  getBoundingClientRect(): { left: number; right: number; width: number }
}

/** Texts that reach beyond a box that hides the rest of them. What is moved sideways by touch, as tabs are, is not cut. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { querySelectorAll(selector: string): Iterable<Shown> }
      getComputedStyle(element: Shown): { overflowX: string }
    }
    const hides = (element: Shown) =>
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX)
    const isBeyond = (element: Shown) => {
      const { left, right, width } = element.getBoundingClientRect()
      for (let box = element.parentElement; box && width > 1; box = box.parentElement) {
        const outer = box.getBoundingClientRect()
        if (hides(box) && outer.width > 1 && right > outer.right + 1 && left < outer.right)
          return true
      }
      return false
    }
    const isCut = (element: Shown) =>
      !element.children.length &&
      !element.closest('nav, [role=tablist]') &&
      element.offsetParent &&
      element.textContent.trim() &&
      element.clientWidth !== 1 &&
      (isBeyond(element) || (hides(element) && element.scrollWidth > element.clientWidth + 1))
    const texts = [...document.querySelectorAll('span, label, bdi, a, h1, h2, h3, p')]
    return [...new Set(texts.filter(isCut).map(({ textContent }) => textContent.slice(0, 60)))]
  })
