import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHistoryFile } from '../../cli/history-file.ts'
import { toDate } from '../../engine/index.ts'
import { temporaryRoot } from '../adapters/csv/files.ts'
import { ROWS, type Variant, VARIANTS } from './variants.ts'

const { pages, put } = temporaryRoot()
const folder = mkdtempSync(join(tmpdir(), 'restock-variants-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As the csv source reads it. */
async function readAsSource({ content, ending = '.csv', formats }: Variant) {
  const all = await pages('demand', put({ [`demand${ending}`]: content }), { ...formats })
  expect(all.flatMap(({ quarantined }) => quarantined)).toEqual([])
  return all
    .flatMap(({ records }) => records)
    .map(({ sku, location, date, quantity }) => ({ sku, location, date, quantity }))
}

let files = 0

/** As `predict` and `backtest` read it. */
async function readAsCommand({ content, ending = '.csv', formats }: Variant) {
  const path = join(folder, `${files++}${ending}`)
  writeFileSync(path, content)
  const { pairs, histories } = await readHistoryFile(path, { formats })
  const { starts, days, quantities } = histories
  return pairs.flatMap(({ sku, location }, pair) =>
    Array.from(days.subarray(starts[pair], starts[pair + 1]), (day, i) => ({
      sku,
      location,
      date: toDate(day),
      quantity: quantities[starts[pair]! + i]!,
    })),
  )
}

const sorted = (rows: typeof ROWS) => rows.toSorted((a, b) => (a.date < b.date ? -1 : 1))
const messageOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'it was read',
    (error: Error) => error.message,
  )

it('there are 140 variants', () => {
  expect(Object.keys(VARIANTS).length).toBeGreaterThanOrEqual(140)
})

describe.each(Object.entries(VARIANTS))('a table with %s', (_, variant) => {
  const { refused, skus } = variant
  if (refused) {
    it('is refused by the source with the sentence that mends it', async () => {
      expect(await messageOf(readAsSource(variant))).toMatch(refused)
    })
    it('is refused by predict and backtest with it', async () => {
      expect(await messageOf(readAsCommand(variant))).toMatch(refused)
    })
  } else {
    const expected = [
      ...ROWS.map((row, i) => ({ ...row, sku: skus?.[i] ?? row.sku })),
      ...(variant.more ?? []),
    ]
    it('is read right by the source', async () => {
      expect(await readAsSource(variant)).toEqual(expected)
    })
    it('is read right by predict and backtest', async () => {
      expect(sorted(await readAsCommand(variant))).toEqual(expected)
    })
  }
})

describe('what the first rows leave open', () => {
  const header = 'sku,location,date,quantity\n'
  const many = (date: string, quantity: string) =>
    Array.from({ length: 30_000 }, (_, i) => `S${i},L,${date},${quantity}\n`).join('')
  const last = (content: string) =>
    readAsSource({ content }).then((rows) => ({ count: rows.length, ...rows.at(-1) }))

  it('is the order of day and month until one shows it', async () => {
    const content = `${header}${many('03/04/2026', '1')}X,L,13/04/2026,1\n`
    expect(await last(content)).toMatchObject({ count: 30_001, sku: 'X', date: '2026-04-13' })
    expect((await readAsSource({ content }))[0]).toMatchObject({ date: '2026-04-03' })
  })

  it('is nothing where every date is one day in both orders', async () => {
    expect(await last(`${header}A,L,11/11/2026,1\nA,L,12/12/2026,1\n`)).toMatchObject({
      date: '2026-12-12',
    })
    expect(await messageOf(last(`${header}A,L,11/11/2026,1\nA,L,11/12/2026,1\n`))).toMatch(
      /line 3: date "11\/12\/2026" can be 2026-12-11 or 2026-11-12/,
    )
  })

  it('is refused where later rows have day and month in the other order', async () => {
    const content = `${header}${many('28/04/2026', '1')}X,L,04/28/2026,1\n`
    expect(await messageOf(last(content))).toMatch(
      /demand\.csv, line 30002: date "04\/28\/2026" is not written as DD\/MM\/YYYY, as others are/,
    )
  })

  it('is refused where most rows cannot be read', async () => {
    const content = `${header}${many('2026-11-03', '1')}${many('2026-11-04', '-5')}X,L,2026-11-04,-5\n`
    expect(await messageOf(last(content))).toMatch(
      /demand\.csv, line 30002: 30001 of 60001 rows cannot be read, this is the first: quantity "-5" must not be negative/,
    )
  })

  it('is the decimal sign until a number shows it', async () => {
    const content = `${header}${many('2026-11-03', '12')}X,L,2026-11-04,"1,5"\nY,L,2026-11-04,"2,5"\n`
    expect(await last(content)).toMatchObject({ sku: 'Y', quantity: 2.5 })
  })

  it('is asked for where it comes late and can be two', async () => {
    const content = `${header}${many('2026-11-03', '12')}X,L,2026-11-04,"1,500"\n`
    expect(await messageOf(last(content))).toMatch(
      /demand\.csv, line 30002: quantity "1,500" can be 1500 or 1\.5; set the option decimal to "\."/,
    )
    expect(await readAsSource({ content, formats: { decimal: '.' } })).toContainEqual(
      expect.objectContaining({ sku: 'X', quantity: 1500 }),
    )
  })

  it('is shown by a price that has both signs', async () => {
    const content = 'sku;location;date;quantity;price\nA;L;2026-11-03;1.250;1.003,99\n'
    expect(await readAsSource({ content })).toMatchObject([{ quantity: 1250 }])
  })

  it('is the column of a name that can be two', async () => {
    const content = 'PO;Item;Plant;Order Quantity\n1;A;L;1\n'
    expect(await messageOf(pages('openOrders', put({ 'open_orders.csv': content })))).toMatch(
      /line 1: Item can be the column \w+ and the column \w+: rename it to one of them/,
    )
  })

  it('of one column is what another shows', async () => {
    const content =
      'order;line;sku;location;quantity;due;ordered_on\n1;1;A;L;1;03/04/2026;28/02/2026\n'
    const [page] = await pages('openOrders', put({ 'open_orders.csv': content }))
    expect(page!.records).toEqual([
      expect.objectContaining({ due: '2026-04-03', orderedOn: '2026-02-28' }),
    ])
  })
})

it('a source says how it understood a file, where that is worth a look', async () => {
  const content = Buffer.from('Artikel;Lager;Datum;Menge\nMüsli;L;03.11.2026;1,5\n', 'latin1')
  const [page] = await pages('demand', put({ 'demand.csv': content }))
  expect(page!.notes).toEqual([
    'demand.csv was read so: written in Windows-1252, separated by ";", decimal sign ",", date as DD.MM.YYYY, ' +
      'Artikel read as sku, Lager read as location, Datum read as date, Menge read as quantity.',
    expect.stringContaining('not UTF-8'),
  ])
  const [plain] = await pages(
    'demand',
    put({ 'demand.csv': 'sku,location,date,quantity\nA,L,2026-11-03,1.5\n' }),
  )
  expect(plain!.notes).toEqual([])
})
