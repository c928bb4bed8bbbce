// Lines of open documents. These lists have no line numbers: a row is the sum of all lines of a document with the
// same item, location and day.
import { BadValue, codeOf, exactOf, type Field, numberOf, problemOf } from '../rows/values.ts'
import type { Exact } from '../rows/decimals.ts'
import { type SnapshotPage, toQuarantinedRow } from '../rows/pages.ts'
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
}

type Sum = Omit<OpenLine, 'line' | 'quantity' | 'reference'> & { exact: Exact }

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
    try {
      const due = dayOrNone(each.due, each.fields.due)
      const exact = exactOf(each.quantity, each.fields.quantity)
      if (exact < 0n) throw new BadValue(each.fields.quantity, 'must not be negative')
      if (exact === 0n) continue
      const document = codeOf(each.document, 'documentNo')
      const [sku, location] = [codeOf(each.sku, 'itemNo'), codeOf(each.location, 'locationCode')]
      const key = [document, sku, location, due].join('\n')
      const sum = sums.get(key)
      if (sum) sum.exact += exact
      else sums.set(key, { document, sku, location, due, supplier: each.supplier, exact })
    } catch (error) {
      const place = `${set}('${each.document}')`
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
      .map(({ exact, ...sum }, at) => ({
        ...sum,
        line: `${sum.sku}/${sum.location}${at ? `/${at + 1}` : ''}`.slice(0, 100),
        quantity: numberOf(exact, 'outstandingQtyBase'),
        reference: handOverOf(sum.document),
      })),
  )
}
