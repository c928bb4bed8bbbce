// `restock report months`: planned against what came, and what decisions were worth.
import { stringify } from 'csv-stringify/sync'
import type { ValueMonth } from '../../client/index.ts'
import { openClient, type Query } from '../client.ts'
import { callCommand, option, PAGING, textLike } from '../command.ts'
import { money, note, printDocument, words } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

const month = textLike(/^[0-9]{4}-(0[1-9]|1[0-2])$/, 'a month as YYYY-MM')

export const monthsCommand = () =>
  callCommand({
    name: 'months',
    summary: 'show by month what was planned and what came, and what decisions were worth',
    examples: [
      'report months',
      'report months --source src_1 --from 2026-01 --to 2026-06',
      'report months --csv > months.csv',
    ],
    options: [
      option('--source <id>', 'of one source, e.g. src_1'),
      option('--from <month>', 'from this month on (default: of a year)', month),
      option('--to <month>', 'until this month (default: the present one)', month),
      option('--csv', 'print the figures of months as CSV, a row a currency'),
      ...PAGING,
    ],
    call: ({ csv: _, ...query }: MonthsQuery) =>
      openClient().call('get', '/reports/months', { query }),
    needs: ['data'],
    tell({ data, next_cursor }, { csv }) {
      if (!data.length) return note('No month has been measured.')
      const decisions = data.flatMap((row) => row.decisions.map((group) => ({ ...row, ...group })))
      if (next_cursor) note(`There are more: continue with --cursor ${next_cursor}`)
      if (csv)
        return printDocument(stringify(data.flatMap(byCurrency).map(plainRow), { header: true }))
      return [
        ...linesOf(FIGURES, data.flatMap(byCurrency)),
        ...['', ...linesOf(LINES, data)],
        ...(decisions.length ? ['', ...linesOf(DECISIONS, decisions)] : []),
      ]
    },
  })

interface MonthsQuery extends Query<'/reports/months'> {
  csv?: true
}

type Money = NonNullable<ValueMonth['figures']>['money'][number]
type MonthRow = Omit<ValueMonth, 'decisions'> & { amounts: Money | null }

/** A row a currency; one without amounts where there are none. */
const byCurrency = (row: ValueMonth): MonthRow[] => {
  const amounts = row.figures?.money ?? []
  return amounts.length
    ? amounts.map((each) => ({ ...row, amounts: each }))
    : [{ ...row, amounts: null }]
}

/** As a spreadsheet reads it: no signs, a figure a column, empty where there is none. */
function plainRow({ month, source_id, days, lacks, figures, lines, amounts, first_day }: MonthRow) {
  const beside = (name: string, of: { planned: unknown; came: unknown } | undefined) => ({
    [`${name}_planned`]: of?.planned,
    [`${name}_came`]: of?.came,
  })
  return {
    ...{ month, source: source_id, days, first_day, lacks, pairs: figures?.pairs },
    ...{ without_cost: figures?.without_cost, currency: amounts?.currency },
    ...beside('stockouts', figures?.stockouts),
    ...beside('units_short', figures?.units_short),
    ...beside('stock_value', amounts?.stock_value),
    ...beside('carrying_cost', amounts?.carrying_cost),
    ...beside('shortage_cost', amounts?.shortage_cost),
    ...beside('fill_rate', amounts?.fill_rate),
    ...prefixed(lines),
  }
}

const prefixed = (lines: ValueMonth['lines'] | undefined) =>
  Object.fromEntries(LINE_NAMES.map((name) => [`lines_${name}`, lines?.[name]]))

const LINE_NAMES = ['proposed', 'approved', 'edited', 'rejected', 'ordered'] as const

const LINES: Column<ValueMonth>[] = [
  ['Month', (row) => row.month],
  ['Source', (row) => row.source_id],
  ...LINE_NAMES.map((name): Column<ValueMonth> => [
    words(name),
    ({ lines }) => lines?.[name],
    'right',
  ]),
]

type Side = 'planned' | 'came'
const SIDES: Side[] = ['planned', 'came']

const amountColumns = (
  head: string,
  name: 'stock_value' | 'carrying_cost' | 'shortage_cost',
): Column<MonthRow>[] =>
  SIDES.map((side) => [
    `${head}, ${side}`,
    ({ amounts }) => {
      const amount = amounts?.[name][side]
      return amount == null ? null : money(amount, amounts?.currency)
    },
    'right',
  ])

const percentOf = (share: number | null | undefined) =>
  share == null ? null : `${(100 * share).toFixed(1)} %`

const FIGURES: Column<MonthRow>[] = [
  ['Month', (row) => row.month],
  ['Source', (row) => row.source_id],
  ['Days', (row) => row.days, 'right'],
  ...amountColumns('Stock', 'stock_value'),
  ...SIDES.map((side): Column<MonthRow> => [
    `Stockouts, ${side}`,
    ({ figures }) => percentOf(figures?.stockouts[side]),
    'right',
  ]),
  ...amountColumns('Short', 'shortage_cost'),
  ...amountColumns('Carrying', 'carrying_cost'),
  ...SIDES.map((side): Column<MonthRow> => [
    `From stock, ${side}`,
    ({ amounts }) => percentOf(amounts?.fill_rate?.[side]),
    'right',
  ]),
  ['Lacks', (row) => LACKS[row.lacks ?? ''] ?? daysBefore(row)],
]

/** A month that was measured from a later day on is told of its part. */
const daysBefore = ({ first_day: first }: MonthRow) =>
  first && !first.endsWith('-01') ? `days before ${first}` : null

const LACKS: Record<string, string> = {
  not_measured: 'not measured',
  too_few_days: 'fewer than 14 days measured',
}

type DecisionRow = ValueMonth['decisions'][number] & { month: string; source_id: string }

const DECISIONS: Column<DecisionRow>[] = [
  ['Month', (row) => row.month],
  ['Source', (row) => row.source_id],
  ['Person', (row) => row.person ?? 'others'],
  ['Decision', (row) => row.what],
  ['Reason', ({ reason }) => reason && words(reason)],
  ['Lines', (row) => row.lines, 'right'],
  ['Compared', (row) => row.evaluated, 'right'],
  ['Too recent', (row) => row.too_recent, 'right'],
  [
    'Worth',
    ({ worth }) => worth.map((each) => money(each.worth, each.currency)).join(', '),
    'right',
  ],
]
