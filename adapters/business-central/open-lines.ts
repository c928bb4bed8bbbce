// Lines of open documents. These lists have no line numbers: a row is the sum of all lines of a document with the
// same item, location and day.
import { BadValue, codeOf, exactOf, type Field, numberOf, problemOf } from '../rows/values.ts'
import { divideExactly, type Exact, toMoney } from '../rows/decimals.ts'
import { ifGoodOrNoted, type SnapshotPage, toQuarantinedRow } from '../rows/pages.ts'
import { handOverOf } from './order-form.ts'
import { dayOrNone } from './values.ts'

/** A row of whichever list, in common words. */
export interface OpenRow {
  document: string
  sku: string
  location: string
  quantity: Field
  due: Field
  supplier: string | null
  /** Names of quantity and day in the ERP. */
  fields: { quantity: string; due: string }
  row: unknown
  /** The promised day, and the one that was asked for; absent where the list does not say. */
  promised?: Field
  requested?: Field
  /** What the open quantity costs, in the company's currency; absent where the list does not say. */
  amount?: Field
  /** What its lines were made of, empty for nothing; absent where nobody says. */
  drafts?: readonly string[]
}

export interface OpenLine {
  document: string
  line: string
  sku: string
  location: string
  quantity: number
  due: string | null
  supplier: string | null
  reference: string | null
  confirmedOn?: string | null
  confirmedQuantity?: number | null
  unitCost?: string | null
  /** None where lines that are one here were made of several drafts. */
  draft?: string
}

type Told = 'document' | 'sku' | 'location' | 'due' | 'supplier' | 'confirmedOn'

interface Sum extends Pick<OpenLine, Told> {
  exact: Exact
  /** The quantity of its lines that have a promised day. The last of these days is `confirmedOn`. */
  confirmed: Exact
  /** Null where the list does not say what it costs. */
  amount: Exact | null
  drafts: readonly string[]
}

/**
 * Lines with numbers of our own: item and location, and from the second day on its place in their order, so that a
 * line whose day is changed stays the same line.
 */
export function numberLines<K extends 'openOrders' | 'customerOrders'>(
  rows: OpenRow[],
  page: SnapshotPage<K>,
  set: string,
): OpenLine[] {
  const sums = new Map<string, Sum>()
  for (const each of rows) {
    const place = `${set}('${each.document}')`
    const known: Known = (find) => ifGoodOrNoted(page, each.row, place, find)
    try {
      const exact = exactOf(each.quantity, each.fields.quantity)
      if (exact < 0n) throw new BadValue(each.fields.quantity, 'must not be negative')
      if (exact === 0n) continue
      const document = codeOf(each.document, 'documentNo')
      const [sku, location] = [codeOf(each.sku, 'itemNo'), codeOf(each.location, 'locationCode')]
      const { due, confirmedOn } = daysOf(each, known)
      const key = [document, sku, location, due].join('\n')
      const { amount = null } = known(() => amountOf(each))
      const sum = sums.get(key)
      const line = {
        ...{ document, sku, location, due, supplier: each.supplier, exact, amount },
        ...(confirmedOn !== undefined && { confirmedOn }),
        confirmed: confirmedOn ? exact : 0n,
        drafts: each.drafts ?? [],
      }
      const whole = sum ? addUp(sum, line) : line
      numberOf(whole.exact, each.fields.quantity)
      sums.set(key, whole)
    } catch (error) {
      const problem = problemOf(error)
      problem.about ??= { sku: each.sku, location: each.location }
      page.quarantined.push(toQuarantinedRow(place, each.row, problem))
    }
  }
  const byPair = Map.groupBy(sums.values(), ({ document, sku, location }) =>
    [document, sku, location].join('\n'),
  )
  return [...byPair.values()].flatMap((same) =>
    same
      .sort((a, b) => ((a.due ?? '') < (b.due ?? '') ? -1 : 1))
      .map(({ exact, confirmed, amount, drafts, ...sum }, at) => ({
        ...sum,
        ...(sum.confirmedOn && { confirmedQuantity: numberOf(confirmed, 'outstandingQtyBase') }),
        ...(amount !== null && { unitCost: costOf(amount, exact) }),
        ...draftOf(drafts),
        line: `${sum.sku}/${sum.location}${at ? `/${at + 1}` : ''}`.slice(0, 100),
        quantity: numberOf(exact, 'outstandingQtyBase'),
        reference: handOverOf(sum.document),
      })),
  )
}

/** What the row may say besides, as far as it is good. */
type Known = <T extends object>(find: () => T) => Partial<T>

/** Business Central moves the expected day along with the promised one, by the days that putting goods away takes. */
function daysOf({ due, promised, requested, fields }: OpenRow, known: Known) {
  const expected = dayOrNone(due, fields.due)
  if (promised === undefined) return { due: expected }
  const { day } = known(() => ({ day: dayOrNone(promised, 'promisedReceiptDate') }))
  if (day === null) return { due: expected, confirmedOn: null }
  const { wanted } = known(() => ({
    wanted: requested === undefined ? null : dayOrNone(requested, 'requestedReceiptDate'),
  }))
  const confirmedOn = day === undefined ? null : (expected ?? day)
  return { due: wanted ?? expected, confirmedOn }
}

function amountOf({ amount }: OpenRow): { amount?: Exact } {
  if (amount === undefined) return {}
  const exact = exactOf(amount, 'outstandingAmtExVatLcy')
  numberOf(exact, 'outstandingAmtExVatLcy')
  return { amount: exact }
}

const addUp = (one: Sum, other: Sum): Sum => ({
  ...one,
  exact: one.exact + other.exact,
  confirmed: one.confirmed + other.confirmed,
  ...(one.confirmedOn !== undefined && { confirmedOn: later(one.confirmedOn, other.confirmedOn) }),
  amount: one.amount === null || other.amount === null ? null : one.amount + other.amount,
  drafts: [...one.drafts, ...other.drafts],
})

function draftOf(drafts: readonly string[]): { draft?: string } {
  const [draft, ...others] = new Set(drafts)
  return draft && !others.length ? { draft } : {}
}

const later = (one: string | null, other: string | null = null) =>
  (one ?? '') > (other ?? '') ? one : other

/** Null where no price was entered. */
const costOf = (amount: Exact, quantity: Exact) =>
  amount > 0n ? toMoney(divideExactly(amount, quantity)) : null
