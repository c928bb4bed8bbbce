// The days on which proposals counted on orders, and what the supplier has confirmed of them.
import cds from '@sap/cds'
import { byText } from '../../../../engine/index.ts'
import { type Receipt, withoutNoise } from '../../../../engine/proposal/index.ts'
import {
  CurrentOpenOrders,
  ExpectedOrders,
  OrderPromises,
  readAs,
} from '../../../base/database/entities.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { type Pair, pairKey, whereOfPairs } from '../to-proposal.ts'

interface LineKey {
  document: string
  line: string
}

/** Remembers the first day of each order line, and forgets lines that are no more. Before a run counts supply. */
export async function rememberPromises(source: number) {
  const added = (await SELECT.from('restock.CurrentOpenOrders as o').columns(
    'document',
    'line',
    'due',
    'confirmedOn',
  )
    .where`source_ID = ${source} and (due is not null or confirmedOn is not null) and not exists (select 1 as one from restock.OrderPromises as p where p.source.ID = o.source_ID and p.document = o.document and p.line = o.line)`) as unknown as (LineKey & {
    due: string | null
    confirmedOn: string | null
  })[]
  const gone = (await SELECT.from('restock.OrderPromises as p').columns('document', 'line')
    .where`p.source.ID = ${source} and not exists (select 1 as one from restock.CurrentOpenOrders as o where o.source_ID = p.source.ID and o.document = p.document and o.line = p.line)`) as unknown as LineKey[]
  if (!added.length && !gone.length) return
  await cds.tx(async () => {
    for (const chunk of inChunks(added))
      await INSERT.into(OrderPromises).entries(
        chunk.map(({ document, line, due, confirmedOn }) => ({
          ...{ source_ID: source, document, line, countedOn: due ?? confirmedOn },
        })),
      )
    for (const [document, lines] of Map.groupBy(gone, (row) => row.document))
      await DELETE.from(OrderPromises).where({
        ...{ source_ID: source, document },
        line: { in: lines.map(({ line }) => line) },
      })
  })
}

/** The open orders of the ERP by pair. */
export interface ReceiptsOfPairs {
  of(pair: Pair): readonly Receipt[]
}

interface ReceiptRow extends Pair, LineKey {
  quantity: unknown
  due: string | null
  orderedOn: string | null
  confirmedOn: string | null
  confirmedQuantity: unknown
  countedOn: string | null
}

const NO_RECEIPTS: readonly Receipt[] = []

/** Reads the open orders of a source, or of some of its pairs, once for all of them. */
export async function readReceipts(
  source: number,
  pairs?: readonly Pair[],
): Promise<ReceiptsOfPairs> {
  const rows = await readAs<ReceiptRow>(
    SELECT.from(ExpectedOrders).where({ source_ID: source, ...whereOfPairs(pairs) }),
  )
  const tells = rows.length > 0 && (rows.some(isConfirmed) || (await tellsConfirmations(source)))
  const byPair = Map.groupBy(rows, pairKey)
  return {
    of: (pair) =>
      byPair
        .get(pairKey(pair))
        ?.map((row) => toReceipt(row, tells))
        .sort(byDocument) ?? NO_RECEIPTS,
  }
}

type Confirmation = Pick<ReceiptRow, 'confirmedOn' | 'confirmedQuantity'>

const isConfirmed = ({ confirmedOn, confirmedQuantity }: Confirmation) =>
  confirmedOn !== null || confirmedQuantity !== null

/** A source of which no open order is confirmed says nothing of confirmations. */
async function tellsConfirmations(source: number): Promise<boolean> {
  const row = await SELECT.one.from(CurrentOpenOrders).columns('document')
    .where`source_ID = ${source} and (confirmedOn is not null or confirmedQuantity is not null)`
  return Boolean(row)
}

/** What counts of an order line, and when. */
export interface OrderPromise {
  /** The confirmed day, or else the wanted one. */
  date: string | null
  /** What is confirmed; all of it where no quantity is. */
  quantity: number
  /** The rest, which is not counted as coming. */
  unconfirmed: number
  isConfirmed: boolean
}

/** A supplier that confirms a day without a quantity confirms all of it. */
export function promiseOf(row: Confirmation & Pick<ReceiptRow, 'quantity' | 'due'>): OrderPromise {
  const ordered = Number(row.quantity)
  const quantity =
    row.confirmedQuantity === null ? ordered : Math.min(ordered, Number(row.confirmedQuantity))
  return {
    ...{ date: row.confirmedOn ?? row.due, quantity },
    unconfirmed: withoutNoise(ordered - quantity),
    isConfirmed: isConfirmed(row),
  }
}

/** Sorted, so that they are always added up in the same order. */
const byDocument = (a: Receipt, b: Receipt) => byText(a.document!, b.document!)

function toReceipt(row: ReceiptRow, tellsOfConfirmations: boolean): Receipt {
  const { orderedOn, document, line, countedOn } = row
  const { date, quantity, unconfirmed, isConfirmed } = promiseOf(row)
  return {
    ...{ date, orderedOn, quantity, document: `${document}/${line}` },
    ...(countedOn !== null && countedOn !== date && { countedOn }),
    ...(unconfirmed > 0 && { unconfirmed }),
    ...(tellsOfConfirmations && !isConfirmed && { isConfirmed: false as const }),
  }
}
