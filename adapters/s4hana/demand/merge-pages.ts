/** Parts of a read, such as slices of days, that are read at the same time. */
export interface Parts<Part, Page> {
  /** The next part to be read; null where none is left. */
  next(): Part | null
  read(part: Part, signal: AbortSignal): AsyncIterator<Page>
  /** All pages of a part have been used. */
  ended(part: Part): void
  /** Parts that are read at once, at most. */
  concurrency: number
}

interface NextPage<Part, Page> {
  part: Part
  pages: AsyncIterator<Page>
  result: IteratorResult<Page>
}

/**
 * The pages of all parts in the order in which they arrive. Each part is read one page ahead of what
 * has been used, never more.
 */
export async function* mergePages<Part, Page>(
  parts: Parts<Part, Page>,
  signal: AbortSignal,
): AsyncGenerator<{ part: Part; page: Page }> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const underWay = new Map<Part, Promise<NextPage<Part, Page>>>()
  const ask = (part: Part, pages: AsyncIterator<Page>) => {
    const next = pages.next().then((result) => ({ part, pages, result }))
    next.catch(() => {}) // the failure reaches whoever awaits it, and may be awaited by nobody
    underWay.set(part, next)
  }
  const fill = () => {
    while (underWay.size < parts.concurrency) {
      const part = parts.next()
      if (!part) return
      ask(part, parts.read(part, either))
    }
  }
  try {
    for (fill(); underWay.size; fill()) {
      const { part, pages, result } = await Promise.race(underWay.values())
      if (result.done) {
        underWay.delete(part)
        parts.ended(part)
        continue
      }
      ask(part, pages)
      yield { part, page: result.value }
    }
  } finally {
    ended.abort(new Error('The reading was ended.'))
  }
}
