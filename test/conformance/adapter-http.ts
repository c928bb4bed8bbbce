// What an adapter that speaks HTTP owes besides: credentials, refusals, waits, origins, verbs.
import { Fatal, Retriable } from '../../adapters/errors.ts'

/** A stand-in for the ERP that can be told how to answer and remembers what it was asked. */
export interface HttpFixture {
  /** The next request for data gets this answer; afterwards all is well again. */
  answerOnce(status: number, headers?: Record<string, string>): void
  /** The next page's link points to another origin, which counts what reaches it. */
  linkElsewhereOnce(): { requests(): number }
  /** How often the access token was refreshed. */
  refreshes(): number
  /** What was asked so far. */
  requests(): { method: string; path: string }[]
  /** The paths of POST requests that only read. */
  readingPosts: RegExp[]
}

/** Longer than anybody waits in the middle of a read. */
const LONG_WAIT_S = 7_000

/** @param reading prepares an account; what it gives reads all streams of it */
export function httpConformance(
  http: HttpFixture | { notFor: string },
  reading: () => Promise<() => Promise<void>>,
) {
  if ('notFor' in http) {
    for (const name of NAMES) it.skip(`${name} (not for this adapter: ${http.notFor})`, () => {})
    return
  }
  const failure = async (read: () => Promise<void>) => read().catch((reason: unknown) => reason)

  it(NAMES[0], async () => {
    const read = await reading()
    const before = http.refreshes()
    http.answerOnce(401)
    await read()
    expect(http.refreshes()).toBe(before + 1)
  })

  it(NAMES[1], async () => {
    const read = await reading()
    http.answerOnce(403)
    expect(await failure(read)).toBeInstanceOf(Fatal)
  })

  it(NAMES[2], async () => {
    for (const status of [429, 503]) {
      const read = await reading()
      http.answerOnce(status, { 'retry-after': String(LONG_WAIT_S) })
      const error = await failure(read)
      expect(error).toBeInstanceOf(Retriable)
      expect(error).toMatchObject({ afterMs: LONG_WAIT_S * 1_000 })
    }
  })

  it(NAMES[3], async () => {
    const read = await reading()
    http.answerOnce(503, { 'retry-after': '1' })
    const began = Date.now()
    const error = await failure(read)
    if (error) expect(error).toMatchObject({ afterMs: 1_000 })
    else expect(Date.now() - began).toBeGreaterThanOrEqual(1_000)
  })

  it(NAMES[4], async () => {
    const read = await reading()
    const elsewhere = http.linkElsewhereOnce()
    expect(await failure(read)).toBeInstanceOf(Fatal)
    expect(elsewhere.requests()).toBe(0)
  })

  it(NAMES[5], async () => {
    await (
      await reading()
    )()
    for (const { method, path } of http.requests()) {
      if (method === 'GET' || method === 'HEAD') continue
      expect(method).toBe('POST')
      expect(http.readingPosts.some((allowed) => allowed.test(path))).toBe(true)
    }
  })
}

const NAMES = [
  'refreshes its token once after a 401',
  'gives up at a 403',
  'passes on the long wait of a 429 and of a 503',
  'waits as long as a 503 asks, itself or by whoever runs it',
  'follows no link to another origin',
  'uses no verb that writes',
] as const
