// The contest that bench/vn2 plays: its files as its organisers name them, and its arithmetic.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { addWeeks, readContest, RULES, Shelf } from '../../bench/vn2/contest.ts'
import { writeFiles } from '../../bench/vn2/files.ts'

const LAST = '2024-04-08'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'restock-vn2-test-'))
  const past = [addWeeks(LAST, -1), LAST]
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(path.join(folder, `${name}.csv`), `${lines.join('\n')}\n`)
  write(`Week 0 - ${LAST} - Sales`, `Store,Product,${past.join()}`, '7,126,,3')
  write('Week 0 - In Stock', `Store,Product,${past.join()}`, '7,126,True,False')
  write(
    `Week 0 - ${LAST} - Initial State`,
    'Store,Product,Start Inventory,Sales,Missed Sales,End Inventory,In Transit W+1,In Transit W+2',
    '7,126,5,3,0,2,1,4',
  )
  for (let week = 1; week <= RULES.weeks; week++) {
    const monday = addWeeks(LAST, week)
    write(`Week ${week} - ${monday} - Sales`, `Store,Product,${monday}`, `7,126,${week}`)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is read: a week before the first sale, stock, what is on its way, and what was wanted then', () => {
  const { past, weeks, pairs } = readContest(folder)
  expect(past).toEqual(['2024-04-01', LAST])
  expect(weeks).toHaveLength(8)
  expect(pairs).toEqual([
    {
      ...{ store: '7', product: '126', past: [null, 3], wasInStock: [true, false] },
      ...{ real: [1, 2, 3, 4, 5, 6, 7, 8], onHand: 2, coming: [1, 4] },
    },
  ])
})

it('says what is missing', () => {
  rmSync(path.join(folder, 'Week 3 - 2024-04-29 - Sales.csv'))
  expect(() => readContest(folder)).toThrow(/no file like \^Week 3/)
})

it('costs .20 for a unit that is left and 1.00 for one that is missing; an order comes after two weeks', () => {
  const { pairs } = readContest(folder)
  const shelf = new Shelf(pairs[0]!)
  shelf.order(5)
  // 2 + 1 − 1, then + 4 − 2, then + 5 − 3: left are 2, 4, 6.
  for (const wanted of [1, 2, 3]) shelf.pass(wanted)
  expect([shelf.onHand, shelf.cost]).toEqual([6, expect.closeTo(0.2 * 12)])
  shelf.pass(10)
  expect([shelf.short, shelf.cost]).toEqual([4, expect.closeTo(0.2 * 12 + 4)])
})

it.each([
  ['mondays', ['126,7,2024-04-08,3', '126,7,2024-04-15,1']],
  ['sundays', ['126,7,2024-04-14,3', '126,7,2024-04-21,1']],
  [
    'days',
    ['126,7,2024-04-09,1', '126,7,2024-04-11,1', '126,7,2024-04-13,1', '126,7,2024-04-18,1'],
  ],
] as const)('is dated on %s, with the weeks that are over', (dating, expected) => {
  const contest = readContest(folder)
  const shelves = new Map(contest.pairs.map((pair) => [pair, new Shelf(pair)]))
  writeFiles(folder, contest, shelves, [], 1, dating)
  const lines = readFileSync(path.join(folder, 'demand.csv'), 'utf8').trim().split('\n').slice(1)
  expect(lines).toEqual(expected)
  const empty = readFileSync(path.join(folder, 'stock_history.csv'), 'utf8').trim().split('\n')
  expect(empty.slice(1)).toHaveLength(7)
})
