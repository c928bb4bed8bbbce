import { MEASURES } from '../../engine/replay/index.ts'
import { type Sheet, workbookOf } from '../../tables/write-workbook.ts'
import type { GroupOf, PairOf, Report, SideOfPair } from './figures.ts'
import { comparedOf, FIGURE_NAMES, GROUP_NAMES, HOW, limitsOf, verdictOf } from './words.ts'

type Cell = string | number | null
type Kind = Sheet['kinds'][number]

/** A column: its head, its kind, and what it has of a row. */
type Of<Row> = [head: string, kind: Kind, value: (row: Row) => Cell]

/** The report as a workbook: the figures, the groups, and every pair with what its figures are made of. */
export const pilotWorkbook = (report: Report): Buffer =>
  workbookOf([
    sheet(
      'Summary',
      [['', 'text', (line: string) => line]],
      [`${report.from} to ${report.to}`, verdictOf(report), ...limitsOf(report), ...HOW],
    ),
    sheet('Figures', FIGURES, comparedOf(report)),
    sheet('Four weeks', BLOCKS, report.blocks),
    sheet('Groups', GROUPS, report.groups),
    sheet('Gain most', PAIRS, report.gainers),
    sheet('Lose most', PAIRS, report.losers),
    sheet('All pairs', PAIRS, report.pairs),
  ])

function sheet<Row>(name: string, columns: Of<Row>[], rows: readonly Row[]): Sheet {
  return {
    name,
    header: [columns.map(([head]) => head)],
    kinds: columns.map(([, kind]) => kind),
    rows: rows.map((row) => columns.map(([, , value]) => textOf(value(row)))),
  }
}

const SIDES = { own: 'As it was', restock: 'With Restock', difference: 'Difference' }

const textOf = (cell: Cell) => (cell === null ? null : String(cell))

const FIGURES: Of<ReturnType<typeof comparedOf>[number]>[] = [
  ['Figure', 'text', ([figure]) => FIGURE_NAMES[figure]],
  ...(['own', 'restock', 'difference'] as const).flatMap((side) =>
    (['value', 'low', 'high'] as const).map((part): Of<ReturnType<typeof comparedOf>[number]> => [
      `${SIDES[side]}${part === 'value' ? '' : `, ${part}`}`,
      'number',
      ([, compared]) => compared[side][part],
    ]),
  ),
]

const BLOCKS: Of<Report['blocks'][number]>[] = [
  ['From', 'day', ({ from }) => from],
  ['Stock value as it was', 'number', ({ own }) => own.stockValue],
  ['Stock value with Restock', 'number', ({ restock }) => restock.stockValue],
  ['Fill rate as it was', 'number', ({ own }) => own.fillRate],
  ['Fill rate with Restock', 'number', ({ restock }) => restock.fillRate],
]

const GROUPS: Of<GroupOf>[] = [
  ['By', 'text', ({ by }) => GROUP_NAMES[by]],
  ['Code', 'text', ({ code }) => code],
  ['Pairs', 'number', ({ pairs }) => pairs],
  ['Saving', 'number', ({ saving }) => saving.value],
  ['Saving, low', 'number', ({ saving }) => saving.low],
  ['Saving, high', 'number', ({ saving }) => saving.high],
  ['Stock value as it was', 'number', ({ stockValue }) => stockValue.own],
  ['Stock value with Restock', 'number', ({ stockValue }) => stockValue.restock],
  ['Fill rate as it was', 'number', ({ fillRate }) => fillRate.own],
  ['Fill rate with Restock', 'number', ({ fillRate }) => fillRate.restock],
]

const OF_SIDE = [
  ...MEASURES,
  ...([
    'endOnHand',
    'endOnOrder',
    'stockValue',
    'carrying',
    'shortage',
    'ordering',
    'cost',
  ] as const),
] satisfies (keyof SideOfPair)[]

const HEADS: Record<(typeof OF_SIDE)[number], string> = {
  days: 'Days',
  wanted: 'Units wanted',
  short: 'Units short',
  unitDays: 'Units on hand, added up by day',
  stockoutDays: 'Days without stock',
  stockouts: 'Stockouts',
  lines: 'Order lines',
  orders: 'Orders, by share',
  endOnHand: 'On hand at the end',
  endOnOrder: 'On order at the end',
  stockValue: 'Mean stock value',
  carrying: 'Cost of carrying',
  shortage: 'Cost of units short',
  ordering: 'Cost of order lines',
  cost: 'Cost',
}

const PAIRS: Of<PairOf>[] = [
  ['SKU', 'text', ({ sku }) => sku],
  ['Location', 'text', ({ location }) => location],
  ['Group', 'text', ({ group }) => group],
  ['Supplier', 'text', ({ supplier }) => supplier],
  ['ABC class', 'text', ({ abc }) => abc],
  ['Unit cost', 'number', ({ unitCost }) => unitCost],
  ['Carrying rate', 'number', ({ carryingRate }) => carryingRate],
  ['Stockout rate', 'number', ({ stockoutRate }) => stockoutRate],
  ['Order line cost', 'number', ({ orderLineCost }) => orderLineCost],
  ['Saving', 'number', ({ saving }) => saving],
  ...(['own', 'restock'] as const).flatMap((side) =>
    OF_SIDE.map((name): Of<PairOf> => [
      `${HEADS[name]}: ${SIDES[side]}`,
      'number',
      (pair) => pair[side][name],
    ]),
  ),
]
