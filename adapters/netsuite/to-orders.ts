import type { RecordOf } from '../records.ts'
import { abs, divideExactly, toMoney } from '../rows/decimals.ts'
import {
  codeOf,
  codeOrNull,
  currencyOf,
  dayOf,
  demandDayOf,
  ifGood,
  mapAbout,
  numberOf,
} from '../rows/values.ts'
import type { ContractRow, DraftRow, OrderRow, OriginRow } from './queries.ts'
import type { ReceiptRow, ReceivedLineRow, TransferRow } from './queries.ts'
import { nameOfDraft } from './queries.ts'
import type { LineCodes } from './account-facts.ts'
import { movedOf } from './values.ts'

/** @param origins what lines of orders were made of, by `document/line` */
export const toOpenOrder = (
  row: OrderRow,
  codes: LineCodes,
  origins: ReadonlyMap<string, OriginRow>,
): RecordOf<'openOrders'> => {
  const origin = origins.get(`${row.document}/${row.line}`)
  const made = origin?.requisition ?? origin?.contract
  const line = openLineOf(row, codes)
  return mapAbout(line.sku, line.location, () => ({
    ...line,
    reference: referenceIn(row.memo),
    supplier: codeOrNull(row.vendor, 'entityid'),
    orderedOn: dayOf(row.ordered, 'trandate'),
    ...ifGood(() => priceOf(row)),
    ...(made && { draft: draftLineOf(made, codes) }),
  }))
}

/** Null where all has come. Each type of document may count its numbers from 1. */
export const toTransfer = (row: TransferRow, codes: LineCodes): RecordOf<'openOrders'> | null => {
  const open = movedOf(row.quantity, 'quantity')
  if (open <= 0n) return null
  const pair = codes.pair(row)
  return mapAbout(pair.sku, pair.location, () => ({
    document: nameOfDraft(TRANSFER, codes.document(row)),
    line: codeOf(row.line, 'item'),
    ...pair,
    quantity: numberOf(open, 'quantity'),
    due: dayOf(row.due, 'expectedreceiptdate'),
    ...{ reference: null, supplier: null, orderedOn: null },
  }))
}

const TRANSFER = 'TrnfrOrd'

/** Whether a stored order is what is under way of a transfer order. */
export const isTransfer = ({ document }: { document?: unknown }): boolean =>
  String(document).startsWith(`${TRANSFER}(`)

/** The line of a draft by its name. @param made as ORIGINS tells it */
function draftLineOf(made: string, codes: LineCodes): string {
  const [type, document, line, ...number] = made.split('/') as [string, string, string]
  const name = codes.document({ number: number.join('/') || undefined, document })
  return `${nameOfDraft(type, name)}/${line}`
}

/** What a base unit costs; nothing where the account does not say in which currency. @throws BadValue */
function priceOf({ amount, quantity, currency }: OrderRow) {
  if (!amount || !currency) return {}
  const [cost, units] = [movedOf(amount, 'foreignamount'), movedOf(quantity, 'quantity')].map(abs)
  if (!cost || !units) return {}
  return {
    unitCost: toMoney(divideExactly(cost, units)),
    currency: currencyOf(currency, 'symbol'),
  }
}

/** What is open of a line of a customer's order. */
export const toCustomerOrder = (row: OrderRow, codes: LineCodes): RecordOf<'customerOrders'> =>
  openLineOf(row, codes)

/** Quantities are negative in documents that take stock away. */
function openLineOf(row: OrderRow, codes: LineCodes) {
  const pair = codes.pair(row)
  return mapAbout(pair.sku, pair.location, () => {
    const open =
      abs(movedOf(row.quantity, 'quantity')) - abs(movedOf(row.moved, 'quantityshiprecv'))
    return {
      document: codes.document(row),
      line: codeOf(row.line, 'id'),
      ...pair,
      quantity: numberOf(open > 0n ? open : 0n, 'quantity'),
      due: dayOf(row.due, 'expecteddate') ?? dayOf(row.headerdue, 'duedate'),
    }
  })
}

/** The number of a proposal or a hand-over that somebody wrote into the memo. */
const referenceIn = (memo: string | undefined): string | null =>
  /\b(prop|ho)_\d{1,15}\b/.exec(memo ?? '')?.[0] ?? null

/** A line of a requisition, or of an order that nobody has approved; who asks for a requisition is no supplier. */
export const toDraft = (row: DraftRow, codes: LineCodes): RecordOf<'drafts'> => {
  const pair = codes.pair(row)
  const isOrder = row.type === 'PurchOrd'
  return mapAbout(pair.sku, pair.location, () => ({
    // An order keeps its number when it is approved.
    document: isOrder ? codes.document(row) : nameOfDraft(row.type, codes.document(row)),
    line: codeOf(row.line, 'id'),
    kind: isOrder ? 'rfq' : 'requisition',
    ...pair,
    quantity: numberOf(abs(movedOf(row.quantity, 'quantity')), 'quantity'),
    due: dayOf(row.due, 'expectedreceiptdate') ?? dayOf(row.headerdue, 'duedate'),
    createdOn: dayOf(row.day, 'trandate'),
    supplier: isOrder ? codeOrNull(row.vendor, 'entityid') : null,
    reference: referenceIn(row.memo),
  }))
}

const APPROVED = '2'

/**
 * A line of a blanket order or of a purchase contract. Null for one that nobody has approved, that has ended, or of which
 * nothing is left.
 * @param codes of all locations where the line names none
 * @param since contracts that ended before this day have ended everywhere
 */
export const toContract = (
  row: ContractRow,
  codes: LineCodes,
  since: string,
): RecordOf<'drafts'> | null => {
  const pair = codes.pair(row)
  return mapAbout(pair.sku, pair.location, () => {
    const due = dayOf(row.lastday, 'enddate')
    if ((row.approval ?? APPROVED) !== APPROVED || (due !== null && due < since)) return null
    const agreed = abs(movedOf(row.quantity, 'quantity'))
    const called = movedOf(row.called, 'quantity')
    if (agreed <= called) return null
    return {
      document: nameOfDraft(row.type, codes.document(row)),
      line: codeOf(row.line, 'id'),
      kind: 'contract',
      ...pair,
      quantity: numberOf(agreed, 'quantity'),
      ordered: numberOf(called, 'quantity'),
      due,
      createdOn: dayOf(row.firstday, 'startdate'),
      supplier: codeOrNull(row.vendor, 'entityid'),
    }
  })
}

/** @param lines those of the order, of which the earliest that is due for the item is taken: receipts name none */
export function toReceipt(
  row: ReceiptRow,
  codes: LineCodes,
  lines: readonly ReceivedLineRow[],
): RecordOf<'receipts'> {
  const pair = codes.pair(row)
  return mapAbout(pair.sku, pair.location, () => {
    const line = lines.filter(({ item }) => item === row.item).sort(byDue)[0]
    return {
      document: codes.document({ number: row.ordernumber, document: row.orderid }),
      receipt: `${row.document}/${row.line}`,
      line: codeOf(line?.line ?? row.line, 'id'),
      ...pair,
      supplier: codeOrNull(row.vendor, 'entityid'),
      orderedOn: dayOf(row.ordered, 'trandate'),
      due: dayOf(line?.due, 'expectedreceiptdate'),
      receivedOn: demandDayOf(dayOf(row.day, 'trandate'), 'trandate'),
      quantity: numberOf(movedOf(row.quantity, 'quantity'), 'quantity'),
      reference: referenceIn(row.memo),
    }
  })
}

const LATEST = '9999'

const byDue = (a: ReceivedLineRow, b: ReceivedLineRow) =>
  (a.due ?? LATEST) < (b.due ?? LATEST) ? -1 : 1
