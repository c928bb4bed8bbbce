import { byText } from '../../../engine/index.ts'
import type { Receipt } from '../../../engine/proposal/index.ts'
import { amongPairs, type Pair, pairKey } from '../pair.ts'

/** The open orders of the ERP by pair. */
export interface Receipts {
  of(pair: Pair): readonly Receipt[]
}

interface Row extends Pair {
  quantity: number
  due: string | null
  document: string
  line: string
}

const NONE: readonly Receipt[] = []

/** Reads the open orders of a source, or of some of its pairs, once for all of them. */
export async function readReceipts(source: number, pairs?: readonly Pair[]): Promise<Receipts> {
  const rows = (await SELECT.from('restock.CurrentOpenOrders')
    .columns('sku', 'location', 'quantity', 'due', 'document', 'line')
    .where({ source_ID: source, ...amongPairs(pairs) })) as Row[]
  const byPair = Map.groupBy(rows, pairKey)
  return { of: (pair) => byPair.get(pairKey(pair))?.map(toReceipt).sort(byDocument) ?? NONE }
}

/** The order in which they are added up. */
const byDocument = (a: Receipt, b: Receipt) => byText(a.document!, b.document!)

const toReceipt = ({ due, quantity, document, line }: Row): Receipt => ({
  date: due,
  quantity: Number(quantity),
  document: `${document}/${line}`,
})
