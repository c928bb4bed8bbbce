import type { Receipt } from '../../../engine/proposal/index.ts'

/** The open orders of the ERP by pair. */
export interface Receipts {
  of(pair: { sku: string; location: string }): readonly Receipt[]
}

interface Row {
  sku: string
  location: string
  quantity: number
  due: string | null
  document: string
  line: string
}

const NONE: readonly Receipt[] = []

const placeOf = ({ sku, location }: { sku: string; location: string }) => `${sku}\u0000${location}`

/** Reads the open orders of a source, or of one of its pairs, once for a whole run. */
export async function readReceipts(
  source: number,
  pair?: { sku: string; location: string },
): Promise<Receipts> {
  const rows = (await SELECT.from('restock.CurrentOpenOrders')
    .columns('sku', 'location', 'quantity', 'due', 'document', 'line')
    .where({
      source_ID: source,
      ...(pair && { sku: pair.sku, location: pair.location }),
    })) as Row[]
  const byPair = new Map<string, Receipt[]>()
  for (const row of rows) {
    const document = `${row.document}/${row.line}`
    const receipt = { date: row.due, quantity: Number(row.quantity), document }
    const known = byPair.get(placeOf(row))
    if (known) known.push(receipt)
    else byPair.set(placeOf(row), [receipt])
  }
  return { of: (pair) => byPair.get(placeOf(pair)) ?? NONE }
}
