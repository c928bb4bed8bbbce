import type { StreamCheck } from '../../adapter.ts'
import { codeIn } from '../../../tables/codes.ts'
import { TableRefused } from '../../../tables/refusal.ts'
import { Fatal, Retriable } from '../../errors.ts'
import type { Drop } from '../file/drop.ts'
import { openFile } from '../file/open-file.ts'
import type { Format } from '../options.ts'
import { findFile } from '../streams.ts'
import { TABLES, type Table } from '../tables.ts'
import type { StreamNote } from './unread-files.ts'

/** Rows that are read of a file: of longer ones it is not known which SKUs they lack. */
const MAX_ROWS = 200_000
const NAMED = 3

/** SKUs with stock that were never sold: their names are perhaps written otherwise there. */
export async function unknownSkus(
  drop: Drop,
  format: Format,
  checks: readonly StreamCheck[],
  signal: AbortSignal,
): Promise<StreamNote[]> {
  const isThere = (name: string) =>
    checks.some((each) => each.record === name && each.status === 'ok')
  if (!isThere('stock') || !isThere('demand')) return []
  const [stock, demand] = await Promise.all(
    (['stock', 'demand'] as const).map((record) =>
      skusOf(
        TABLES.find((table) => table.record === record)!,
        drop,
        format,
        signal,
      ),
    ),
  )
  if (!stock || !demand) return []
  const unknown = [...stock].filter((sku) => !demand.has(sku))
  if (!unknown.length) return []
  const named = unknown.slice(0, NAMED).join(', ')
  const note = `${unknown.length} of ${stock.size} SKUs with stock have no demand, for example ${named}.`
  return [{ record: 'stock', note }]
}

/** All SKUs of a file; null for a long one, and for one that cannot be read to its end. */
async function skusOf(...file: Parameters<typeof readSkus>): Promise<Set<string> | null> {
  try {
    return await readSkus(...file)
  } catch (error) {
    if (error instanceof Fatal || error instanceof Retriable || error instanceof TableRefused)
      return null
    throw error
  }
}

async function readSkus(
  table: Table,
  drop: Drop,
  format: Format,
  signal: AbortSignal,
): Promise<Set<string> | null> {
  const found = await findFile(table, drop, signal)
  if (!found) return null
  const file = await found.open()
  try {
    const opened = await openFile(file, table, format, signal)
    const skus = new Set<string>()
    let rows = 0
    try {
      for await (const batch of opened.rows()) {
        rows += batch.length
        if (rows > MAX_ROWS) return null
        const index = opened.header.columns.get('sku')!
        for (const { cells, problem } of batch) if (!problem) skus.add(codeIn(cells[index]!))
      }
    } finally {
      await opened.close()
    }
    return skus
  } finally {
    await file.handle.close()
  }
}
