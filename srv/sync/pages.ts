import type { Page } from '../../adapters/adapter.ts'

/** Rows are written in the order of their key; the more at once, the nearer they lie to each other. */
const GROUP_ROWS = 100_000
/** Progress is seen, and a killed run loses no more than this. */
const GROUP_MS = 3_000

/** Pages as one unit of commit, in a bounded number of rows and time. */
export async function* groupPages(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let group: Page | null = null
  let since = Date.now()
  for await (const page of pages) {
    group = group ? joined(group, page) : { ...page }
    if (group.records.length < GROUP_ROWS && Date.now() - since < GROUP_MS) continue
    yield group
    group = null
    since = Date.now()
  }
  if (group) yield group
}

function joined(group: Page, page: Page): Page {
  return {
    records: (group.records as unknown[]).concat(page.records) as Page['records'],
    skipped: group.skipped.concat(page.skipped),
    deleted: (group.deleted ?? []).concat(page.deleted ?? []),
    cursor: page.cursor,
    progress: page.progress,
  }
}
