// What a tab holds on to that stays open all day.
import type { Page } from 'playwright-core'

const MB = 2 ** 20

/** @returns what the page holds after a collection of its garbage: MB of JavaScript, listeners and nodes of the page */
export async function measureMemory(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  for (const _ of [1, 2]) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const valueOf = (name: string) => metrics.find((each) => each.name === name)!.value
  return {
    heap: valueOf('JSHeapUsedSize') / MB,
    listeners: valueOf('JSEventListeners'),
    nodes: valueOf('Nodes'),
  }
}
