// Layout of proposals: all columns on a wide terminal, two lines per proposal on a narrow one.
import type { Proposal } from '../../client/index.ts'
import { money, toSafeText, words } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

/** From this width on the rationale is always shown. */
const WIDE = 200

/** As the apps call them. */
const URGENCIES: Record<NonNullable<Proposal['urgency']>, string> = {
  stocked_out: 'out of stock',
  stockout_before_arrival: 'stockout before delivery',
  due: 'due',
  ahead: 'not yet due',
}

const ALL: Column<Proposal>[] = [
  ['ID', (row) => row.id],
  ['Urgency', (row) => row.urgency && URGENCIES[row.urgency]],
  ['SKU', (row) => row.sku],
  ['Location', (row) => row.location],
  ['ABC', (row) => row.abc_class],
  ['Supplier', (row) => row.supplier],
  ['Quantity', (row) => row.quantity, 'right'],
  ['Value', ({ value, currency }) => value && money(value, currency), 'right'],
  ['Order by', (row) => row.order_by],
  ['On hand', (row) => row.calculation.on_hand, 'right'],
  ['On order', (row) => row.calculation.on_order, 'right'],
  ['Demand P50', demandOf, 'right'],
  ['Status', (row) => words(row.status)],
]
const ON_SECOND_LINE = ['ABC', 'Supplier', 'On hand', 'On order', 'Demand P50', 'Status']
const NARROW = ALL.filter(([head]) => !ON_SECOND_LINE.includes(head))

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
      ...(withReason ? wrap(toSafeText(row.rationale), (width ?? Infinity) - 4) : []),
    ]),
  ]
}

function demandOf({ calculation }: Proposal): string {
  return `${calculation.p50} in ${calculation.horizon_days} d`
}

/** The values for which the narrow table has no columns. */
function restOf(row: Proposal): string {
  const { on_hand, on_order } = row.calculation
  const [abcClass, supplier] = [row.abc_class && `class ${row.abc_class}`, row.supplier]
  const numbers = `on hand ${on_hand} · on order ${on_order} · P50 ${demandOf(row)}`
  return toSafeText([words(row.status), abcClass, supplier, numbers].filter(Boolean).join(' · '))
}

/** Lines of at most so many characters, indented. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => `    ${line}`)
}
