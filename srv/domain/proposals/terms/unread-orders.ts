// Open orders of the ERP of which nobody knows how much they bring: their pairs are blocked, so that nothing is ordered twice.
import { QuarantinedRows, StreamStates, readAs } from '../../../base/database/entities.ts'
import { visibleGeneration } from '../../../base/database/records/records-read.ts'
import { isOneOf, type Pair } from '../to-proposal.ts'

export interface UnreadOrders {
  /** A sentence of what could not be read for a pair; null: its open orders are known. */
  of(pair: Pair): string | null
}

const RECORD = 'openOrders'

/**
 * Rejected rows, and a list that failed before it was ever read. A list that the ERP does not have is none, and a copy of a
 * row brings nothing more.
 * @param pairs absent for all
 */
export async function readUnreadOrders(
  source: number,
  pairs?: readonly Pair[],
): Promise<UnreadOrders> {
  const own = { source_ID: source, record: RECORD }
  if ((await isLacking(own)) && (await visibleGeneration(source, RECORD)) === null)
    return { of: () => 'The open orders of this source have not been read once.' }
  const rows = await readAs<{ sku: string; location: string | null; place: string }>(
    SELECT.from(QuarantinedRows)
      .columns('sku', 'location', 'place')
      .where({
        ...own,
        code: { '!=': 'duplicate_row' },
        sku: pairs ? isOneOf(pairs, ({ sku }) => sku) : { '>': '' },
      })
      .orderBy('place'),
  )
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return {
    of({ sku, location }) {
      const row = bySku.get(sku)?.find((each) => !each.location || each.location === location)
      return row ? `An open order of this pair could not be read: ${row.place}.` : null
    },
  }
}

const isLacking = async (own: { source_ID: number; record: string }) =>
  Boolean((await SELECT.one.from(StreamStates).columns('owed').where(own))?.owed)
