import cds from '@sap/cds'
import type { DemandRow } from './native/index.ts'

const { DELETE, SELECT, UPSERT } = cds.ql

/** A row that takes back another one; it counts on that one's day. */
export interface Reversal extends DemandRow {
  original: string
}

const CHUNK = 2_000

/**
 * Gives reversals the day of what they take back. Those whose original is not there yet are kept
 * aside: it may come later in the same read, or lie before the history that is read.
 * @param rows the other rows of the same page
 * @returns the reversals that can be stored
 */
export async function placeReversals(
  reversals: Reversal[],
  rows: DemandRow[],
): Promise<DemandRow[]> {
  if (!reversals.length) return []
  const wanted = new Set(reversals.map(({ original }) => original))
  const days = new Map<string, string>()
  for (const { series, document, date } of rows) {
    if (wanted.has(document)) days.set(`${series} ${document}`, date)
  }
  const missing = reversals.filter(({ series, original }) => !days.has(`${series} ${original}`))
  for (let at = 0; at < missing.length; at += CHUNK) {
    await addStoredDays(missing.slice(at, at + CHUNK), days)
  }
  const placed: DemandRow[] = []
  const pending: object[] = []
  for (const { original, ...row } of reversals) {
    const date = days.get(`${row.series} ${original}`)
    const { series, document, quantity } = row
    if (date) placed.push({ ...row, date })
    else pending.push({ series, document, original, quantity })
  }
  if (pending.length) await UPSERT.into('restock.PendingReversals').entries(pending)
  return placed
}

async function addStoredDays(reversals: Reversal[], days: Map<string, string>) {
  const found: DemandRow[] = await SELECT.from('restock.Demand')
    .columns('series', 'document', 'date')
    .where({
      series: { in: [...new Set(reversals.map(({ series }) => series))] },
      document: { in: reversals.map(({ original }) => original) },
    })
  for (const { series, document, date } of found) days.set(`${series} ${document}`, date)
}

/** Reversals of a source whose original has come by now, ready to be stored; they are no longer pending. */
export async function takePlaceable(source: number): Promise<DemandRow[]> {
  const rows: (Reversal & { date: string })[] = await SELECT.from('restock.PlaceableReversals')
    .columns('series', 'document', 'quantity', 'date')
    .where({ source_ID: source })
  for (const { series, document } of rows) {
    await DELETE.from('restock.PendingReversals').where({ series, document })
  }
  return rows.map(({ series, document, quantity, date }) => ({
    ...{ series, document, quantity: Number(quantity), date, price: null, promo: null },
  }))
}
