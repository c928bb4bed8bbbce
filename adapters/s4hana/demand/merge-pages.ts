/** Parts of a read, such as slices of days, that are read concurrently. */
export interface Parts<Part, Page> {
  /** The next part to be read; null where none is left. */
  next(): Part | null
  read(part: Part, signal: AbortSignal): AsyncIterator<Page>
  /** Called when all pages of a part have been consumed. */
  onEnd(part: Part): void
  /** Most parts that are read at the same time. */
  concurrency: number
}

interface NextPage<Part, Page> {
  part: Part
  pages: AsyncIterator<Page>
  result: IteratorResult<Page>
}

/**
 * The pages of all parts in the order in which they arrive. Each part is read at most one page ahead.
 */
export async function* mergePages<Part, Page>(
  parts: Parts<Part, Page>,
  signal: AbortSignal,
): AsyncGenerator<{ part: Part; page: Page }> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const pending = new Map<Part, Promise<NextPage<Part, Page>>>()
  const request = (part: Part, pages: AsyncIterator<Page>) => {
    const next = pages.next().then((result) => ({ part, pages, result }))
    next.catch(() => {}) // no unhandled rejection if the consumer stops before it awaits this page
    pending.set(part, next)
  }
  const fill = () => {
    while (pending.size < parts.concurrency) {
      const part = parts.next()
      if (!part) return
      request(part, parts.read(part, either))
    }
  }
  try {
    for (fill(); pending.size; fill()) {
      const { part, pages, result } = await Promise.race(pending.values())
      if (result.done) {
        pending.delete(part)
        parts.onEnd(part)
        continue
      }
      request(part, pages)
      yield { part, page: result.value }
    }
  } finally {
    ended.abort(new Error('The reading was ended.'))
  }
}
