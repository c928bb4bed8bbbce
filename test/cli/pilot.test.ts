// `restock pilot` on the exports of made-up companies, as a user runs it: each figure is computed once more from what is known
// of the company, or from the pairs that the report lists.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import readWorkbook from 'read-excel-file/node'
import { writeFiles } from '../../bench/pilot/files.ts'
import { followProposals } from '../../bench/pilot/run.ts'
import {
  BEFORE,
  COSTS,
  costOf,
  FIRST_DAY,
  HABITS,
  HALF_YEAR,
  makeWorld,
  type World,
} from '../../bench/pilot/world.ts'
import type { PairOf, Report } from '../../cli/pilot/figures.ts'
import { type Assumed, readFolder } from '../../cli/pilot/read-folder.ts'
import { replayPast, tasksOf } from '../../cli/pilot/replay.ts'
import { Words } from '../../cli/pilot/texts.ts'
import { limitsOf, verdictOf } from '../../cli/pilot/words.ts'
import { toDate, toEpochDay } from '../../engine/index.ts'
import { weekdayOf } from '../../engine/proposal/index.ts'
import { parseJson } from '../support/json.ts'
import { restock, restockHere } from './run.ts'

const PAIRS = 5
const END = BEFORE + HALF_YEAR
const FROM = BEFORE

let root: string
let folder: string
let world: World
let report: Report

const argsOf = (files: string, ...more: string[]) => [
  ...['pilot', '--files', files, '--unmet-demand', 'lost', '--workers', '1', ...more],
]
const pilot = (files: string, ...more: string[]) => restockHere(argsOf(files, ...more))

const ENGLISH = new Words('en')
const ASSUMED: Assumed = {
  ...{ stockoutCost: 0.4, carryingCost: 0.25, unmetDemand: 'lost' },
  ...{ orderLineCost: 0, orderCost: 0, reviewPeriodDays: 7 },
}
const WEEKS = 8
/** Of the last of them. */
const LATE = END - 7 * WEEKS

async function reportOf(files: string, ...more: string[]): Promise<Report> {
  const { code, stdout, stderr } = await pilot(files, '--json', '--weeks', String(WEEKS), ...more)
  if (code !== 0) throw new Error(stderr)
  return parseJson<Report>(stdout)
}

/** The same exports, changed. */
async function changed(name: string, change: (folder: string) => Promise<void>): Promise<string> {
  const copy = join(root, name)
  await cp(folder, copy, { recursive: true })
  await change(copy)
  return copy
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'restock-pilot-'))
  folder = join(root, 'company')
  world = makeWorld(3, PAIRS)
  await writeFiles(folder, world, END)
  report = await reportOf(
    folder,
    '--weeks',
    '26',
    '--page',
    join(root, 'pilot.html'),
    '--workbook',
    join(root, 'pilot.xlsx'),
  )
})
afterAll(() => rm(root, { recursive: true }))

const sum = (values: Iterable<number>) => [...values].reduce((total, each) => total + each, 0)

describe('a pilot on files', () => {
  it('replays the last weeks that are known', () => {
    expect({
      from: toEpochDay(report.from) - FIRST_DAY,
      to: toEpochDay(report.to) - FIRST_DAY,
    }).toEqual({
      from: FROM,
      to: END - 1,
    })
    expect(report.pairsOf).toMatchObject({ known: PAIRS, replayed: PAIRS, otherCurrency: 0 })
    expect(report.youngPairs).toBe(FROM < 365 ? PAIRS : 0)
  })

  it('tells what the company had as it was', () => {
    const days = HALF_YEAR
    const value = sum(
      world.pairs.map(({ stock, unitCost }) => unitCost * sum(stock.subarray(FROM, END))),
    )
    const { own } = report.all.stockValue
    expect(own.value).toBeCloseTo(value / days, 2)
    expect(report.all.carrying.own.value).toBeCloseTo((value * COSTS.carryingRate) / 365, 2)
    const placed = world.pairs.flatMap(({ orders, supplier }) =>
      orders.filter(({ day }) => day >= FROM && day < END).map(({ day }) => `${supplier}/${day}`),
    )
    expect(report.all.lines.own.value).toBe(placed.length)
    expect(report.all.orders.own.value).toBeCloseTo(new Set(placed).size, 6)
    const empty = sum(
      world.pairs.map(({ stock }) => stock.subarray(FROM, END).filter((each) => each <= 0).length),
    )
    expect(report.all.stockoutDays.own.value).toBe(empty)
    // Nobody ran short, so that nothing is estimated and the cost is the true one.
    expect(report.all.cost.own.value).toBeCloseTo(costOf(world.pairs, FROM, END), 0)
    const open = sum(
      world.pairs.map(
        ({ stock, orders, unitCost }) =>
          unitCost *
          (stock[END - 1]! +
            sum(
              orders.map(({ day, takes, quantity }) =>
                day < END && day + takes >= END ? quantity : 0,
              ),
            )),
      ),
    )
    expect(report.end.own).toBeCloseTo(open, 2)
  })

  it('has in every figure the sum of its pairs', () => {
    for (const side of ['own', 'restock'] as const) {
      const of = (value: (pair: PairOf) => number) => sum(report.pairs.map(value))
      const figure = (name: keyof Report['all']) => report.all[name][side].value
      for (const pair of report.pairs) {
        const { unitDays, days, short, lines, ...amounts } = pair[side]
        expect(amounts.stockValue).toBeCloseTo((pair.unitCost * unitDays) / days, 6)
        expect(amounts.carrying).toBeCloseTo(
          (pair.unitCost * unitDays * pair.carryingRate) / 365,
          6,
        )
        expect(amounts.shortage).toBeCloseTo(pair.unitCost * pair.stockoutRate * short, 6)
        expect(amounts.ordering).toBeCloseTo(
          pair.orderLineCost * lines + pair.orderCost * amounts.orders,
          6,
        )
        expect(amounts.cost).toBeCloseTo(amounts.carrying + amounts.shortage + amounts.ordering, 6)
      }
      for (const name of [
        'stockValue',
        'carrying',
        'shortage',
        'ordering',
        'cost',
        'lines',
        'orders',
        'stockoutDays',
        'stockouts',
      ] as const)
        expect(figure(name)).toBeCloseTo(
          of((pair) => pair[side][name]),
          4,
        )
      expect(figure('fillRate')).toBeCloseTo(
        1 - of((pair) => pair[side].short) / of((pair) => pair[side].wanted),
        8,
      )
      expect(report.end[side]).toBeCloseTo(
        of((pair) => pair.unitCost * (pair[side].endOnHand + pair[side].endOnOrder)),
        4,
      )
    }
    for (const { own, restock, difference } of Object.values(report.all)) {
      expect(difference.value).toBeCloseTo(restock.value - own.value, 6)
      for (const band of [own, restock, difference]) {
        expect(band.low).toBeLessThanOrEqual(band.value)
        expect(band.high).toBeGreaterThanOrEqual(band.value)
      }
    }
    expect(report.saving.value).toBeCloseTo(-report.all.cost.difference.value, 6)
    expect(report.savingPerYear.value).toBeCloseTo((report.saving.value * 365) / report.days, 6)
    expect(report.savingShare.value).toBeCloseTo(report.saving.value / report.all.cost.own.value, 8)
  })

  it('names the pairs that gain and lose most, and every group', () => {
    const byGain = report.pairs.toSorted((a, b) => b.saving - a.saving).map(({ saving }) => saving)
    expect(report.gainers.map(({ saving }) => saving)).toEqual(
      byGain.filter((each) => each > 0).slice(0, 20),
    )
    expect(report.losers.map(({ saving }) => saving)).toEqual(
      byGain
        .filter((each) => each < 0)
        .slice(-20)
        .reverse(),
    )
    for (const by of ['abc', 'group', 'supplier'] as const) {
      const groups = report.groups.filter((group) => group.by === by)
      expect(sum(groups.map(({ saving }) => saving.value))).toBeCloseTo(report.saving.value, 4)
      for (const { code, saving, pairs } of groups) {
        const own = report.pairs.filter((pair) => pair[by] === code)
        expect(own.length).toBe(pairs)
        expect(saving.value).toBeCloseTo(sum(own.map((pair) => pair.saving)), 4)
      }
    }
  })

  it('says the same in blocks of four weeks', () => {
    expect(report.blocks.map(({ from }) => from)).toEqual(
      [...report.blocks.map(({ from }) => from)].sort(),
    )
    for (const { from, own } of report.blocks.slice(0, -1)) {
      const at = toEpochDay(from) - FIRST_DAY
      const value = sum(
        world.pairs.map(({ stock, unitCost }) => unitCost * sum(stock.subarray(at, at + 28))),
      )
      expect(own.stockValue).toBeCloseTo(value / 28, 2)
    }
  })

  it('writes a page without anything from elsewhere, and a workbook with the same figures', async () => {
    const page = await readFile(join(root, 'pilot.html'), 'utf8')
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).not.toMatch(/(src|href)=|@import|url\(/)
    expect(page).toContain('What bounds this')
    for (const { sku } of report.gainers) expect(page).toContain(`<td>${sku}</td>`)
    const book = join(root, 'pilot.xlsx')
    const sheets = await readWorkbook(book)
    const sheet = (name: string) =>
      sheets.find((each) => each.sheet === name)!.data as (string | number)[][]
    const figures = sheet('Figures')
    expect(figures.at(-1)!.slice(0, 2)).toEqual(['Cost in all', report.all.cost.own.value])
    const pairs = sheet('All pairs')
    expect(pairs.length).toBe(PAIRS + 1)
    const saving = pairs[0]!.indexOf('Saving')
    expect(sum(pairs.slice(1).map((row) => Number(row[saving])))).toBeCloseTo(
      report.saving.value,
      4,
    )
  })
})

/** Mean stock value of the last weeks, as it was. */
const ownStock = () =>
  sum(world.pairs.map(({ stock, unitCost }) => unitCost * sum(stock.subarray(LATE, END)))) /
  (END - LATE)

describe('what is lacking', () => {
  const rewrite = (name: string, keep: (line: string) => boolean) => async (copy: string) => {
    const path = join(copy, `${name}.csv`)
    const [head, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
    await writeFile(path, `${[head, ...lines.filter(keep)].join('\n')}\n`)
  }
  const without =
    (...names: string[]) =>
    async (copy: string) => {
      for (const name of names) await rm(join(copy, `${name}.csv`))
    }
  /** Stock of the last day alone. */
  const stockOnly = async (copy: string) => {
    const rows = world.pairs.map(({ sku, stock }) => `${sku},L1,${stock[END - 1]}`)
    await rm(join(copy, 'stock_history.csv'))
    await writeFile(join(copy, 'stock.csv'), `${['sku,location,on_hand', ...rows].join('\n')}\n`)
  }

  it('refuses where neither stock nor receipts say what there was', async () => {
    const { code, stderr } = await pilot(
      await changed('bare', without('stock_history', 'receipts', 'open_orders')),
    )
    expect(code).toBe(2)
    expect(stderr).toContain('nobody can say what you really had')
  })

  it('counts stock back by receipts and demand where there is no history, and says so', async () => {
    const found = await reportOf(await changed('back', stockOnly))
    expect(found.namedPairs).toBe(0)
    expect(found.all.stockValue.own.value / ownStock()).toBeCloseTo(1, 2)
    expect(found.notes.join()).toContain('counted back from stock.csv')
  })

  it('takes rises of stock for orders where there are no receipts, and says so', async () => {
    const found = await reportOf(
      await changed('rises', without('receipts', 'open_orders')),
      ...['--order-line-cost', '5', '--order-cost', '5'],
    )
    // Nobody knows how many orders there were, so that none costs anything.
    const { own, restock: ours } = found.all.ordering
    expect([own.value, ours.value]).toEqual([0, 0])
    expect(found.all.stockValue.own.value).toBeCloseTo(ownStock(), 2)
    expect(found.notes.join()).toContain('rises of stock')
  })

  it('counts no day of a gap for either side, and says how many', async () => {
    const isGap = (line: string) =>
      line.split(',')[2]! >= '2025-07-10' && line.split(',')[2]! < '2025-07-31'
    const gap = await changed('gap', async (copy) => {
      await without('receipts', 'open_orders')(copy)
      await rewrite('stock_history', (line) => !isGap(line))(copy)
    })
    const found = await reportOf(gap)
    expect(limitsOf(ENGLISH, found).join()).toContain(
      `count for neither side, since their stock is not known: ${PAIRS * 22}.`,
    )
    // With the day after it: without a stock of the evening before nobody knows what came.
    expect(found.gapDays).toBe(PAIRS * 22)
    for (const { own, restock: ours } of found.pairs)
      expect([own.days, ours.days]).toEqual([7 * WEEKS - 22, 7 * WEEKS - 22])
  })

  it('leaves out pairs without a lead time or a cost, and says how many', async () => {
    const found = await reportOf(
      await changed('terms', async (copy) => {
        await rewrite('planning', (line) => !line.startsWith('S0001,'))(copy)
        await rewrite('items', (line) => !line.startsWith('S0002,'))(copy)
      }),
    )
    expect(found.pairsOf).toMatchObject({
      replayed: PAIRS - 2,
      left: { no_lead_time: 1, no_cost: 1 },
    })
  })

  it('says that only some weeks are known', async () => {
    const found = await reportOf(
      await changed('late', async (copy) => {
        await rewrite('stock_history', (line) => line.split(',')[2]! >= '2025-06-10')(copy)
        await without('receipts')(copy)
      }),
      ...['--weeks', '26'],
    )
    expect(toEpochDay(found.from)).toBeGreaterThanOrEqual(toEpochDay('2025-06-10'))
    expect(found.notes.join()).toMatch(/Only \d+ weeks can be replayed/)
  })

  it('names file and line of a row that cannot be read', async () => {
    const bad = await changed('bad', (copy) => rewrite('receipts', () => false)(copy))
    await writeFile(
      join(bad, 'receipts.csv'),
      'order,line,sku,location,received_on,quantity\n1,1,S0001,L1,never,3\n',
    )
    const { code, stderr } = await pilot(bad)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/receipts: line 2: .*never/) as string,
    })
  })

  it('asks for a connection or a folder', async () => {
    expect((await restockHere(['pilot'])).stderr).toContain('Name a connection')
    expect((await restockHere(['pilot', '--files', join(root, 'nothing')])).stderr).toContain(
      'has no demand.csv',
    )
  })
})

it('orders on the days of the week on which the supplier takes orders, where it has such days', async () => {
  const past = await readFolder({
    ...{ folder, formats: {} },
    assumed: ASSUMED,
  })
  for (const pair of past.pairs) pair.planning = { ...pair.planning, orderDays: [2, 5] }
  // This company has too much at first, and needs nothing for weeks.
  const { window, results } = await replayPast(past, { weeks: 26 }, { pool: null }, () => {})
  const weekdays = results.flatMap((result) =>
    'reason' in result ? [] : result.orders.map((day) => weekdayOf(toDate(window.start + day))),
  )
  expect([...new Set(weekdays)].sort()).toEqual([2, 5])
})

it('keeps what a supplier asks of an order, and counts what an order costs', async () => {
  const files = await changed('terms-of-orders', async (copy) => {
    await termsOfAll('minimum_order_quantity,order_cost', '40,12.5')(copy)
    // The company writes a document for each line: its orders are counted as those of Restock all the same.
    for (const name of ['receipts.csv', 'open_orders.csv']) {
      const [head, ...lines] = (await readFile(join(copy, name), 'utf8')).trimEnd().split('\n')
      const apart = lines.map((line, at) => line.replace(/^[^,]*/, `${name}-${at}`))
      await writeFile(join(copy, name), `${[head, ...apart].join('\n')}\n`)
    }
  })
  const past = await readFolder({
    ...{ folder: files, formats: {} },
    assumed: ASSUMED,
  })
  expect(past.pairs.map(({ supplierOrder }) => supplierOrder)).toContainEqual({
    location: '',
    limits: {
      ...{ minimumValue: null, minimumQuantity: 40, orderCost: 12.5 },
      coverDays: 28,
    },
  })
  const found = await reportOf(files, '--weeks', '26')
  for (const { own, restock: ours, orderCost } of found.pairs) {
    expect(orderCost).toBe(12.5)
    for (const side of [own, ours]) expect(side.ordering).toBeCloseTo(12.5 * side.orders, 6)
  }
  expect(found.all.orders.restock.value).toBeLessThan(report.all.orders.restock.value)
  expect(found.all.orders.own.value).toBeCloseTo(report.all.orders.own.value, 6)
})

/** The same terms of each supplier. */
const termsOfAll = (columns: string, values: string) => (copy: string) =>
  writeFile(
    join(copy, 'supplier_terms.csv'),
    `supplier,${columns}\n` +
      [...new Set(world.pairs.map(({ supplier }) => supplier))]
        .map((supplier) => `V${supplier},${values}\n`)
        .join(''),
  )

it('says how many orders go out below a minimum that cannot be reached', async () => {
  const files = await changed('unreachable', termsOfAll('minimum_order_quantity', '1000000'))
  const found = await reportOf(files, '--weeks', '26')
  expect(found.ordersBelowMinimum).toBeGreaterThan(0)
  expect(found.ordersBelowMinimum).toBeCloseTo(found.all.orders.restock.value, 6)
  expect(limitsOf(ENGLISH, found).join()).toContain('below the minimum of their supplier')
})

it('asks nothing of an order for freight or a term of 0, and takes what an order costs from an option', async () => {
  const files = await changed(
    'freight',
    termsOfAll('free_freight_from,freight_cost,minimum_order_value', '100000,90000,0'),
  )
  const ordersWith = async (orderCost: number) => {
    const reading = { folder: files, formats: {}, assumed: { ...ASSUMED, orderCost } }
    return (await readFolder(reading)).pairs.map(({ supplierOrder }) => supplierOrder)
  }
  expect(new Set(await ordersWith(0))).toEqual(new Set([null]))
  for (const order of await ordersWith(3)) expect(order!.limits.orderCost).toBe(3)
  const found = await reportOf(files, '--order-cost', '3')
  expect(new Set(found.pairs.map(({ orderCost }) => orderCost))).toEqual(new Set([3]))
})

it('decides orders of two weeks in the same weeks for all pairs, whenever they begin', async () => {
  const past = await readFolder({ folder, formats: {}, assumed: ASSUMED })
  for (const pair of past.pairs) pair.planning = { ...pair.planning, reviewPeriodDays: 14 }
  // Every second pair is first sold one week into the window, so that it begins in a week of its own.
  const { histories } = past
  const start = past.end - 7 * 26
  for (let pair = 0; pair < PAIRS; pair += 2)
    for (let i = histories.starts[pair]!; i < histories.starts[pair + 1]!; i++)
      if (histories.days[i]! < start + 7) histories.quantities[i] = 0
  const { results } = await replayPast(past, { weeks: 26 }, { pool: null }, () => {})
  const late = results.filter(({ pair }) => pair % 2 === 0)
  expect(late.some((result) => 'orders' in result && result.orders.length > 0)).toBe(true)
  const days = results.flatMap((result) => ('reason' in result ? [] : result.orders))
  expect(new Set(days.map((day) => day % 14))).toEqual(new Set([0]))
})

it('gives each task its own pairs, large orders first, and one task no more than it must', async () => {
  const [like] = (await readFolder({ folder, formats: {}, assumed: ASSUMED })).pairs
  const supplierOrder = { location: '', limits: { minimumQuantity: 5 } }
  const pairs = Array.from({ length: 300 }, (_, at) => ({
    ...like!,
    sku: `S${at}`,
    planning: { ...like!.planning, supplier: `V${Math.floor(at / 100)}` },
    supplierOrder: at < 200 ? supplierOrder : null,
  }))
  const tasks = tasksOf(pairs)
  const sizes = tasks.map((orders) => sum(orders.map((order) => order.pairs.length)))
  expect(sizes).toEqual([100, 100, ...Array<number>(10).fill(10)])
  const numbers = tasks.flat().flatMap((order) => order.pairs.map(({ number }) => number))
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...pairs.keys()])
  expect(tasks[0]![0]!.limits).toEqual(supplierOrder.limits)
  expect(tasks[0]![0]!.pairs[0]!.terms).not.toHaveProperty('supplierOrder')
})

it('says of one pair what it says of several', () => {
  const [one] = [{ ...report, pairsOf: { ...report.pairsOf, known: 2, replayed: 1 } }]
  const left = { ...report.pairsOf.left, no_cost: 1 }
  const said = (language: 'en' | 'de') =>
    limitsOf(new Words(language), {
      ...{ ...one, pairsOf: { ...one.pairsOf, left } },
      ...{ youngPairs: 1, gapDays: 1, unknownDays: 1 },
    }).join('\n')
  expect(said('en')).toContain('1 pair left out: no unit cost is known.')
  expect(said('en')).not.toMatch(/\b1 (pair|day)s? (are|have|count)|\b1 days/)
  expect(said('de')).not.toMatch(/\b1 (Artikel|Tage\w*) (werden|haben|zählen|von)/)
})

it('says in German what it says in English', async () => {
  const [book, page] = [join(root, 'pilot-de.xlsx'), join(root, 'pilot-de.html')]
  const more = ['--weeks', String(WEEKS), '--language', 'de', '--page', page, '--workbook', book]
  const { code, stdout } = await restock(argsOf(folder, ...more))
  expect(code).toBe(0)
  expect(stdout).toContain('Bedarf ab Lager')
  const html = await readFile(page, 'utf8')
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('Was die Aussage begrenzt')
  expect(html).not.toMatch(/ (the|and|with|of) (?!Restock)/)
  const sheets = await readWorkbook(book)
  expect(sheets.map(({ sheet }) => sheet)).toContain('Alle Artikel')
  expect((await pilot(folder, '--language', 'fr')).stderr).toContain('en, de')
})

it('a company that orders every proposal already has nothing to gain', async () => {
  const best = followProposals(makeWorld(4, PAIRS, HABITS[4]), BEFORE)
  const files = join(root, 'best')
  await writeFiles(files, best, END)
  const found = await reportOf(files, '--weeks', '16')
  expect(found.verdict).not.toBe('saves')
  expect(verdictOf(ENGLISH, found)).toContain('Nothing to gain')
})
