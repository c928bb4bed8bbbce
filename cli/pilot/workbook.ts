import { type Sheet, workbookOf } from '../../tables/write-workbook.ts'
import type { Compared, Figure, GroupOf, PairOf, Report, SideOfPair } from './figures.ts'
import type { TextKey, Words } from './texts.ts'
import { comparedOf, howOf, limitsOf, ofSide, SIDES, verdictOf } from './words.ts'

type Cell = string | number | null
type Kind = Sheet['kinds'][number]

/** A column: its head, its kind, and what it has of a row. */
type Of<Row> = [head: string, kind: Kind, value: (row: Row) => Cell]

/** The report as a workbook: the figures, the groups, and every pair with what its figures are made of. */
export function pilotWorkbook(words: Words, report: Report): Buffer {
  const { from, to, days } = report
  const pairs = pairColumns(words)
  return workbookOf([
    sheet(
      words.text('sheet_summary'),
      [['', 'text', (line: string) => line]],
      [
        words.text('weeks', { from, to, weeks: Math.round(days / 7) }),
        verdictOf(words, report),
        ...limitsOf(words, report),
        ...howOf(words),
      ],
    ),
    sheet(words.text('sheet_figures'), figureColumns(words), comparedOf(report)),
    sheet(words.text('sheet_blocks'), blockColumns(words), report.blocks),
    sheet(words.text('sheet_groups'), groupColumns(words), report.groups),
    sheet(words.text('sheet_gainers'), pairs, report.gainers),
    sheet(words.text('sheet_losers'), pairs, report.losers),
    sheet(words.text('sheet_pairs'), pairs, report.pairs),
  ])
}

function sheet<Row>(name: string, columns: Of<Row>[], rows: readonly Row[]): Sheet {
  return {
    name,
    header: [columns.map(([head]) => head)],
    kinds: columns.map(([, kind]) => kind),
    rows: rows.map((row) => columns.map(([, , value]) => textOf(value(row)))),
  }
}

const textOf = (cell: Cell) => (cell === null ? null : String(cell))

const figureColumns = (words: Words): Of<[Figure, Compared]>[] => [
  [words.text('figure'), 'text', ([figure]) => words.text(figure)],
  ...([...SIDES, ['difference', 'difference']] as const).flatMap(([side, key]) =>
    (['value', 'low', 'high'] as const).map((part): Of<[Figure, Compared]> => {
      const name = words.text(key)
      const head = part === 'value' ? name : words.text(part, { name })
      return [head, 'number', ([, compared]) => compared[side][part]]
    }),
  ),
]

/** A column of each side. */
const ofSides = <Row>(
  words: Words,
  key: TextKey,
  value: (row: Row, side: 'own' | 'restock') => number | null,
): Of<Row>[] =>
  SIDES.map(([side, name]) => [ofSide(words, key, name), 'number', (row) => value(row, side)])

type Block = Report['blocks'][number]

const blockColumns = (words: Words): Of<Block>[] => [
  [words.text('from'), 'day', ({ from }) => from],
  ...ofSides<Block>(words, 'stockValue', (block, side) => block[side].stockValue),
  ...ofSides<Block>(words, 'fillRate', (block, side) => block[side].fillRate),
]

const groupColumns = (words: Words): Of<GroupOf>[] => [
  [words.text('by'), 'text', ({ by }) => words.text(by)],
  [words.text('code'), 'text', ({ code }) => code],
  [words.text('pairs'), 'number', ({ pairs }) => pairs],
  [words.text('saving'), 'number', ({ saving }) => saving.value],
  [words.text('low', { name: words.text('saving') }), 'number', ({ saving }) => saving.low],
  [words.text('high', { name: words.text('saving') }), 'number', ({ saving }) => saving.high],
  ...ofSides<GroupOf>(words, 'stockValue', ({ stockValue }, side) => stockValue[side]),
  ...ofSides<GroupOf>(words, 'fillRate', ({ fillRate }, side) => fillRate[side]),
]

/** What is told of each side of a pair, by its head. */
const OF_SIDE: [name: keyof SideOfPair, head: TextKey][] = [
  ...(['days', 'wanted', 'short', 'unitDays'] as const).map(alike),
  ['stockoutDays', 'days_without'],
  ...(['stockouts', 'lines'] as const).map(alike),
  ['orders', 'orders_by_share'],
  ...(['endOnHand', 'endOnOrder', 'stockValue'] as const).map(alike),
  ...(['carrying', 'shortage', 'ordering', 'cost'] as const).map(alike),
]

function alike<Name extends keyof SideOfPair & TextKey>(name: Name): [Name, Name] {
  return [name, name]
}

const pairColumns = (words: Words): Of<PairOf>[] => [
  ...(['sku', 'location', 'group', 'supplier', 'abc'] as const).map((name): Of<PairOf> => [
    words.text(name),
    'text',
    (pair) => pair[name],
  ]),
  ...(
    ['unitCost', 'carryingRate', 'stockoutRate', 'orderLineCost', 'orderCost', 'saving'] as const
  ).map((name): Of<PairOf> => [words.text(name), 'number', (pair) => pair[name]]),
  ...SIDES.flatMap(([side, key]) =>
    OF_SIDE.map(([name, head]): Of<PairOf> => [
      ofSide(words, head, key),
      'number',
      (pair) => pair[side][name],
    ]),
  ),
]
