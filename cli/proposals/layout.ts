// Layout of proposals: all columns on a wide terminal, two lines per proposal on a narrow one.
import { linesOf } from '../table.ts'
import { toSafeText } from '../text.ts'
import type { Column } from '../table.ts'
import type { Proposal } from '../../client/index.ts'

/** From this width on the rationale is always shown. */
const WIDE = 200

const ID: Column<Proposal> = { head: 'ID', value: (row) => row.id }
/** As the apps call them. */
const URGENCIES: Record<NonNullable<Proposal['urgency']>, string> = {
  stocked_out: 'out of stock',
  stockout_before_arrival: 'stockout before delivery',
  due: 'due',
  ahead: 'not yet due',
}
const URGENCY: Column<Proposal> = {
  head: 'Urgency',
  value: (row) => row.urgency && URGENCIES[row.urgency],
}
const SKU: Column<Proposal> = { head: 'SKU', value: (row) => row.sku }
const LOCATION: Column<Proposal> = { head: 'Location', value: (row) => row.location }
const SUPPLIER: Column<Proposal> = { head: 'Supplier', value: (row) => row.supplier }
const QUANTITY: Column<Proposal> = {
  head: 'Quantity',
  value: (row) => row.quantity,
  isRightAligned: true,
}
const VALUE: Column<Proposal> = { head: 'Value', value: valueOf, isRightAligned: true }
const ORDER_BY: Column<Proposal> = { head: 'Order by', value: (row) => row.order_by }
const ON_HAND: Column<Proposal> = {
  head: 'On hand',
  value: (row) => row.calculation.on_hand,
  isRightAligned: true,
}
const ON_ORDER: Column<Proposal> = {
  head: 'On order',
  value: (row) => row.calculation.on_order,
  isRightAligned: true,
}
const DEMAND: Column<Proposal> = { head: 'Demand P50', value: demandOf, isRightAligned: true }
const STATUS: Column<Proposal> = { head: 'Status', value: (row) => row.status.replaceAll('_', ' ') }

const ALL = [
  ...[ID, URGENCY, SKU, LOCATION, SUPPLIER, QUANTITY, VALUE],
  ...[ORDER_BY, ON_HAND, ON_ORDER, DEMAND, STATUS],
]
const NARROW = [ID, URGENCY, SKU, LOCATION, QUANTITY, VALUE, ORDER_BY]

/** The lines to print. `width` is the terminal's, undefined where there is none. */
export function layoutOf(
  rows: Proposal[],
  hasReasons: boolean,
  width: number | undefined = process.stdout.isTTY ? process.stdout.columns : undefined,
): string[] {
  const full = linesOf(ALL, rows)
  const fits = width === undefined || full.every((line) => line.length <= width)
  const [head = '', ...lines] = fits ? full : linesOf(NARROW, rows)
  const withReason = hasReasons || (width ?? 0) >= WIDE
  return [
    head,
    ...rows.flatMap((row, index) => [
      lines[index] ?? '',
      ...(fits ? [] : [`    ${restOf(row)}`]),
      ...(withReason ? wrap(toSafeText(row.rationale), (width ?? Infinity) - 4).map(indent) : []),
    ]),
  ]
}

function valueOf({ value, currency }: Proposal): string | null {
  return value ? `${value} ${currency ?? ''}`.trim() : null
}

function demandOf({ calculation }: Proposal): string {
  return `${calculation.p50} in ${calculation.horizon_days} d`
}

/** The values for which the narrow table has no columns. */
function restOf(row: Proposal): string {
  const { on_hand, on_order } = row.calculation
  const supplier = row.supplier ? ` · ${row.supplier}` : ''
  const numbers = `on hand ${on_hand} · on order ${on_order} · P50 ${demandOf(row)}`
  return toSafeText(`${STATUS.value(row)}${supplier} · ${numbers}`)
}

function indent(line: string): string {
  return `    ${line}`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
