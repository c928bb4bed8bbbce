import type { Page } from '../../../adapters/adapter.ts'
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { type DemandColumns, DemandPacker } from '../../base/database/demand/columns.ts'

/** Pages that are stored in one transaction. The records of demand are in its columns. */
export interface PageGroup extends Page {
  demand?: DemandColumns
}

export const rowsOf = ({ records, demand }: PageGroup): number => demand?.length ?? records.length

/** The interval at which progress becomes visible, and the most work that a killed run loses. */
const GROUP_MS = 3_000

/** Rows that are best written at once. */
const RECORD_ROWS = 5_000
/** They are written in the order of their key: the more at once, the nearer they lie to each other. */
const DEMAND_ROWS = 60_000

/** Pages as one unit of commit, of about so many rows, and in a bounded time. */
export async function* groupPages(
  record: RecordKind,
  pages: AsyncIterable<Page>,
): AsyncGenerator<PageGroup> {
  const packer = record === 'demand' ? new DemandPacker() : null
  const groupRows = packer ? DEMAND_ROWS : RECORD_ROWS
  let group: Page[] = []
  let rows = 0
  let since = Date.now()
  for await (const page of pages) {
    packer?.add(page.records as RecordOf<'demand'>[])
    rows += page.records.length
    group.push(packer ? { ...page, records: [] } : page)
    if (rows < groupRows && Date.now() - since < GROUP_MS) continue
    yield joinPages(group, packer)
    group = []
    rows = 0
    since = Date.now()
  }
  if (group.length) yield joinPages(group, packer)
}

function joinPages(pages: Page[], packer: DemandPacker | null): PageGroup {
  const { cursor, progress, writtenAt } = pages.at(-1)!
  return {
    records: pages.flatMap(({ records }) => records as never[]),
    ...(packer && { demand: packer.take() }),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
    deleted: pages.flatMap(({ deleted }) => deleted ?? []),
    kept: pages.flatMap(({ kept }) => kept ?? []),
    reread: pages.flatMap(({ reread }) => reread ?? []),
    notes: pages.flatMap(({ notes }) => notes ?? []),
    cursor,
    progress,
    ...(writtenAt !== undefined && { writtenAt }),
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
