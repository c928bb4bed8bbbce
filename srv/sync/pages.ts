import type { Page } from '../../adapters/adapter.ts'

/** Progress is seen, and a killed run loses no more than this. */
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
    yield joined(group)
    group = []
    rows = 0
    since = Date.now()
  }
  if (group.length) yield joined(group)
}

function joined(pages: Page[]): Page {
  const { cursor, progress } = pages.at(-1)!
  return {
    records: pages.flatMap(({ records }) => records as never[]),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
    deleted: pages.flatMap(({ deleted }) => deleted ?? []),
    cursor,
    progress,
  }
}

/** Lets the source be read while what came before is stored; one item ahead, no more. */
export async function* oneAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const ask = () => {
    const answer = iterator.next()
    // Whoever takes the answer meets its error; until then it must not count as unhandled.
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
