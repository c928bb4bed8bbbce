import type { Page } from '../../adapters/adapter.ts'

/** The interval at which progress becomes visible, and the most work that a killed run loses. */
const GROUP_MS = 3_000

/** Pages as one unit of commit, of about so many rows, and in a bounded time. */
export async function* groupPages(
  pages: AsyncIterable<Page>,
  groupRows: number,
): AsyncGenerator<Page> {
  let group: Page[] = []
  let rows = 0
  let since = Date.now()
  for await (const page of pages) {
    group.push(page)
    rows += page.records.length
    if (rows < groupRows && Date.now() - since < GROUP_MS) continue
    yield joinPages(group)
    group = []
    rows = 0
    since = Date.now()
  }
  if (group.length) yield joinPages(group)
}

function joinPages(pages: Page[]): Page {
  const { cursor, progress } = pages.at(-1)!
  return {
    records: pages.flatMap(({ records }) => records as never[]),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
    deleted: pages.flatMap(({ deleted }) => deleted ?? []),
    reread: pages.flatMap(({ reread }) => reread ?? []),
    cursor,
    progress,
  }
}

/** Reads the next item from the source while the previous one is stored; at most one item ahead. */
export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const ask = () => {
    const answer = iterator.next()
    // The consumer of the promise gets its error; until then it must not count as unhandled.
    answer.catch(() => {})
    return answer
  }
  try {
    for (let next = ask(); ;) {
      const answer = await next
      if (answer.done) return
      next = ask()
      yield answer.value
    }
  } finally {
    await iterator.return?.()
  }
}
