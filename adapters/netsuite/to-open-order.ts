import type { RecordOf } from '../records.ts'
import { abs } from '../rows/decimals.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { codeOf, codeOrNull, exactOf, numberOf } from '../rows/values.ts'
import { withZero } from './decimals.ts'
import type { PairCodes } from './pair-codes.ts'
import type { OrderRow } from './queries.ts'

/** What is open of a line of a purchase order. */
export const toOpenOrder = (row: OrderRow, codes: PairCodes): RecordOf<'openOrders'> => {
  const line = openLineOf(row, codes)
  return mapAbout(line.sku, line.location, () => ({
    ...line,
    reference: referenceIn(row.memo),
    supplier: codeOrNull(row.vendor, 'entityid'),
    orderedOn: dayOf(row.ordered, 'trandate'),
  }))
}

/** What is open of a line of a customer's order. */
export const toCustomerOrder = (row: OrderRow, codes: PairCodes): RecordOf<'customerOrders'> =>
  openLineOf(row, codes)

/** Quantities are negative in documents that take stock away. */
function openLineOf(row: OrderRow, codes: PairCodes) {
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const open =
      abs(exactOf(withZero(row.quantity), 'quantity')) -
      abs(exactOf(withZero(row.moved), 'quantityshiprecv'))
    return {
      document: documentOf(row),
      line: codeOf(row.line, 'id'),
      ...pair,
      quantity: numberOf(open > 0n ? open : 0n, 'quantity'),
      due: dayOf(row.due, 'expecteddate') ?? dayOf(row.headerdue, 'duedate'),
    }
  })
}

/** The number that people know; a document without one has its internal ID. */
export const documentOf = ({
  number,
  document,
}: {
  number?: string | undefined
  document: string
}) => codeOf(number ?? document, 'tranid')

/** The number of a proposal that somebody wrote into the memo. */
export const referenceIn = (memo: string | undefined): string | null =>
  /\bprop_\d{1,15}\b/.exec(memo ?? '')?.[0] ?? null
