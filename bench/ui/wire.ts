// What a page asks of the network: how often, and how many bytes come over it.
import type { Page } from 'playwright-core'

export interface Wire {
  /** Requests that the page made, whoever answered them. */
  requests: number
  /** Of them those that the browser's cache answered. */
  cached: number
  /** Bytes that came over the network, headers included. */
  bytes: number
}

/** Counts from now on. @returns what has been counted since the last call, or since the start */
export async function countRequests(page: Page): Promise<() => Wire> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let count: Wire = { requests: 0, cached: 0, bytes: 0 }
  session.on('Network.requestWillBeSent', () => count.requests++)
  session.on('Network.responseReceived', ({ response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) count.cached++
  })
  session.on('Network.requestServedFromCache', () => count.cached++)
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    count.bytes += encodedDataLength
  })
  return () => {
    const counted = count
    count = { requests: 0, cached: 0, bytes: 0 }
    return counted
  }
}
