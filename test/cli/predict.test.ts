// The offline commands on real files, some of them in a process of their own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { restock, restockHere } from './run.ts'
import { parseJson } from '../support/json.ts'

const HEADER = 'sku,location,date,quantity'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restock-predict-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function fileOf(text: string | Buffer, suffix = '.csv'): Promise<string> {
  const path = join(folder, `${files++}${suffix}`)
  await writeFile(path, text)
  return path
}

const argsOf = (path: string, ...more: string[]) => [
  ...['predict', '--history', path, '--as-of', '2026-11-20', ...more],
]
const predict = (path: string, ...more: string[]) => restockHere(argsOf(path, ...more))

/** Two SKUs that sell every day for 120 days up to 2026-11-19. */
function rows(): string[] {
  const start = Date.UTC(2026, 6, 23)
  return Array.from({ length: 120 }, (_, i) => {
    const date = new Date(start + i * 86_400_000).toISOString().slice(0, 10)
    return [`A-100,L1,${date},${3 + (i % 5)}`, `B,L1,${date},${i % 4 ? 0 : 12}`]
  }).flat()
}

/** A fixed shuffle. */
const shuffled = (lines: string[]) =>
  lines
    .map((line, i) => ({ line, at: (i * 7919) % lines.length }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)

describe('predict', () => {
  it('prints a line for every series and horizon, by sku, location, horizon', async () => {
    const path = await fileOf([HEADER, ...rows(), 'A-100,"L,2",2026-11-01,1'].join('\n'))
    const { code, stdout, stderr } = await restock(argsOf(path, '--horizons', '28,7'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [header, ...lines] = stdout.trimEnd().split('\n')
    expect(header).toBe('sku,location,horizon,p10,p50,p90,confidence,drivers')
    expect(lines.map((line) => line.match(/^.*?,(7|28),/)?.[0])).toEqual([
      'A-100,"L,2",7,',
      'A-100,"L,2",28,',
      'A-100,L1,7,',
      'A-100,L1,28,',
      'B,L1,7,',
      'B,L1,28,',
    ])
    expect(lines[3]).toMatch(/^A-100,L1,28,(\d+),(\d+),(\d+),(high|medium|low),level/)
  })

  it('says so where every row is there twice', async () => {
    const once = rows()
    const [one, two] = await Promise.all(
      [once, [...once, ...once]].map(async (all) =>
        predict(await fileOf([HEADER, ...all].join('\n')), '--horizons', '28'),
      ),
    )
    expect(one!.stderr).toBe('')
    expect(two!.stderr).toMatch(
      /^Every row of \d+\.csv is there twice, and rows of a day are added up/,
    )
    expect(two!.code).toBe(0)
  })

  it('gives the same bytes for the same rows in any order of rows and columns, packed or not', async () => {
    const plain = await fileOf([HEADER, ...rows()].join('\n'))
    const mixed = shuffled(rows()).map((row) => {
      const [sku, location, date, quantity] = row.split(',')
      return `"${date}",x,${quantity},"${location}",${sku}`
    })
    const other = ['\ufeffdate,note,quantity,location,sku', ...mixed, ''].join('\r\n')
    const packed = await fileOf(gzipSync(other), '.csv.gz')
    const first = await predict(plain)
    const second = await predict(packed)
    expect(first.code).toBe(0)
    expect(first.stdout.split('\n')).toHaveLength(1 + 2 * 3 + 1)
    expect(second).toEqual(first)
  })

  it('adds up several rows of a day', async () => {
    const halves = rows().flatMap((row) => {
      const [sku, location, date, quantity] = row.split(',')
      return [
        `${sku},${location},${date},${Number(quantity) / 3}`,
        `${sku},${location},${date},${(2 * Number(quantity)) / 3}`,
      ]
    })
    const whole = await predict(await fileOf([HEADER, ...rows()].join('\n')))
    expect(await predict(await fileOf([HEADER, ...shuffled(halves)].join('\n')))).toEqual(whole)
  })

  it('reads nothing on or after the as-of date', async () => {
    const past = await predict(await fileOf([HEADER, ...rows()].join('\n')))
    const later = ['A-100,L1,2026-11-20,5000', 'NEW,L1,2026-11-21,7']
    expect(await predict(await fileOf([HEADER, ...rows(), ...later].join('\n')))).toEqual(past)
  })

  it('nets returns against the sales before them with --returns net', async () => {
    const path = await fileOf(
      [HEADER, 'A,L,2026-11-01,5', 'A,L,2026-11-03,-5', 'A,L,2026-11-04,2'].join('\n'),
    )
    const refused = await predict(path)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^line 3: /)
    const netted = await predict(path, '--returns', 'net')
    const without = await predict(
      await fileOf([HEADER, 'A,L,2026-11-01,0', 'A,L,2026-11-04,2'].join('\n')),
    )
    expect(netted).toEqual({ ...without, code: 0 })
  })

  it('raises the forecast by promotions that are planned, as those before did', async () => {
    const promoted = rows().map((row, i) => {
      const [sku, location, date, quantity] = row.split(',')
      const ran = i % 20 < 6 ? 1 : 0
      return [sku, location, date, ran ? 4 * Number(quantity) : quantity, ran].join(',')
    })
    const path = await fileOf([`${HEADER},promo`, ...promoted].join('\n'))
    const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']
    const plan = await fileOf(
      [
        'date,promo,sku,location',
        ...days.map((day) => `${day},1,A-100,L1`),
        '2026-11-20,1,?,L1',
      ].join('\n'),
    )
    const line = ({ stdout }: { stdout: string }) => stdout.split('\n')[1]!.split(',')
    const without = line(await predict(path, '--horizons', '7'))
    const planned = line(await predict(path, '--horizons', '7', '--plan', plan))
    expect(Number(planned[4])).toBeGreaterThan(1.3 * Number(without[4]))
    expect(planned[7]!.split(';')).toContain('promotion')
    const wrong = await predict(
      path,
      '--plan',
      await fileOf('sku,location,date,promo\nA-100,L1,2026-02-30,1'),
    )
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: 'line 2: date "2026-02-30" is no day of the calendar\n',
    })
  })

  it('gives the same bytes with any number of workers', async () => {
    const pasta = join(import.meta.dirname, '../../data/source/pasta_daily.csv.gz')
    const plain = gunzipSync(await readFile(pasta))
      .toString()
      .trimEnd()
    const [header, ...lines] = plain.split('\n')
    const late = lines.filter((line) => /,2015-(0[89]|1\d)-/.test(line))
    // Long enough for the workers to be worth their start.
    const locations = ['A', 'B', 'C'].flatMap((name) =>
      late.map((line) => line.replace('IT_STORE_1', name)),
    )
    expect(locations.join('\n').length).toBeGreaterThan(1_000_000)
    const path = await fileOf([header, ...locations].join('\n'))
    const args = ['predict', '--history', path, '--as-of', '2016-01-01', '--horizons', '28']
    const one = await restock([...args, '--workers', '1'])
    expect(one.code).toBe(0)
    expect(one.stdout.split('\n').length).toBeGreaterThan(300)
    expect(await restock([...args, '--workers', '3'])).toEqual(one)
  })

  it('writes into a file, and JSON where it is asked to', async () => {
    const path = await fileOf([HEADER, ...rows()].join('\n'))
    const out = join(folder, 'out.csv')
    expect(await predict(path, '--out', out)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await readFile(out, 'utf8')).toBe((await predict(path)).stdout)
    const { stdout } = await predict(path, '--horizons', '28', '--json')
    const { data } = parseJson<{ data: object[] }>(stdout)
    expect(data).toHaveLength(2)
    expect(data[0]).toMatchObject({
      sku: 'A-100',
      horizon_days: 28,
      forecast: { p50: expect.any(Number) },
      as_of: '2026-11-20',
    })
  })

  it('keeps codes as they are written, without blanks around them', async () => {
    const codes = ['007', '1E5', '"""; DROP"', '../../x', '🍝', ' spaced ']
    const path = await fileOf([HEADER, ...codes.map((code) => `${code},L,2026-11-01,1`)].join('\n'))
    const { code, stdout } = await restock(argsOf(path, '--horizons', '7'))
    expect(code).toBe(0)
    for (const written of codes) expect(stdout).toContain(`\n${written.trim()},L,7,`)
  })

  it.each([
    ['a missing column', 'sku,location,date\nA,L,2026-01-01', 'line 1'],
    ['a date that is none', `${HEADER}\nA,L,2026-01-01,1\nA,L,2026-02-30,1`, 'line 3'],
    ['an empty quantity', `${HEADER}\nA,L,2026-01-01,`, 'line 2'],
    ['a negative quantity', `${HEADER}\nA,L,2026-01-01,-1`, 'line 2'],
    ['a quantity that is no number', `${HEADER}\nA,L,2026-01-01,0x1F`, 'line 2'],
    ['an infinite quantity', `${HEADER}\nA,L,2026-01-01,1e999`, 'line 2'],
    ['a quantity that is an EAN', `${HEADER}\nA,L,2026-01-01,4006381333931`, 'line 2'],
    ['a date long ago', `${HEADER}\nA,L,1900-01-01,1`, 'line 2'],
    ['a bad row after the as-of date', `${HEADER}\nA,L,2027-01-01,-1`, 'line 2'],
    ['an empty file', '', 'line 1'],
    ['dates that can be two days', `${HEADER}\nA,L,01/02/2026,1\nA,L,03/04/2026,1`, 'line 2'],
    ['a short row', `${HEADER}\nA,L,2026-01-01,1\n\nA,L`, 'line 4'],
    ['a quote that is not closed', `${HEADER}\n"A,L,2026-01-01,1\nB,L,2026-01-01,1`, 'line'],
    ['10 MB in one cell', `${HEADER}\n${'x'.repeat(10_000_000)},L,2026-01-01,1`, 'line 2'],
  ])('refuses %s with exit 1, its line, and no output', async (_, text, line) => {
    const { code, stdout, stderr } = await predict(await fileOf(text))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^${line}\\b`))
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('reads standard input and what a German Excel writes, and says how', async () => {
    const plain = await predict(await fileOf([HEADER, ...rows()].join('\n')))
    const german = rows().map((row) => {
      const [sku, location, date, quantity] = row.split(',')
      return `${sku};${location};${date!.split('-').reverse().join('.')};${quantity},0`
    })
    const text = ['sep=;', 'Artikel;Lager;Datum;Menge', ...german, ';;;', ''].join('\r\n')
    const args = ['predict', '--history', '-', '--as-of', '2026-11-20']
    const { code, stdout, stderr } = await restock(args, {
      stdin: Buffer.from(`\ufeff${text}`, 'utf16le'),
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: plain.stdout })
    expect(stderr).toBe(
      'standard-input was read so: written in UTF-16, separated by ";", decimal sign ",", ' +
        'date as DD.MM.YYYY, Artikel read as sku, Lager read as location, Datum read as date, ' +
        'Menge read as quantity.\n',
    )
    const ambiguous = await restock([...args, '--date-format', 'DD/MM/YYYY'], {
      stdin: `${HEADER}\nA,L,01/02/2026,1`,
    })
    expect(ambiguous.code).toBe(0)
  })

  it('refuses a file that is not there, or is damaged', async () => {
    const damaged = await fileOf(gzipSync(HEADER).subarray(0, 15), '.csv.gz')
    for (const path of [join(folder, 'nowhere.csv'), folder, damaged])
      expect(await predict(path)).toMatchObject({ code: 1, stdout: '' })
  })

  it('gives a header alone, and says why, for a header alone, and where all rows are of the future', async () => {
    const header = 'sku,location,horizon,p10,p50,p90,confidence,drivers\n'
    const reasons: [string, RegExp][] = [
      [HEADER, /has no rows\./],
      [
        `${HEADER}\nA,L,2026-11-20,1`,
        /No row .* lies before 2026-11-20: the first is of 2026-11-20/,
      ],
    ]
    for (const [text, stderr] of reasons)
      expect(await predict(await fileOf(text))).toEqual({
        ...{ code: 0, stdout: header },
        stderr: expect.stringMatching(stderr),
      })
  })

  it.each([
    ['--horizons', '0'],
    ['--horizons', '7,91'],
    ['--horizons', 'week'],
    ['--horizons', ''],
    ['--as-of', '2026-02-30'],
    ['--as-of', 'today'],
    ['--returns', 'drop'],
    ['--workers', '0'],
    ['--nonsense', 'x'],
  ])('is wrong usage with %s %j', async (flag, value) => {
    const path = await fileOf(HEADER)
    expect(await predict(path, flag, value)).toMatchObject({ code: 2, stdout: '' })
  })

  it('is wrong usage without a history or an as-of date', async () => {
    expect((await restockHere(['predict', '--as-of', '2026-11-20'])).code).toBe(2)
    expect((await restockHere(['predict', '--history', await fileOf(HEADER)])).code).toBe(2)
  })
})

it('does not write over what it reads', async () => {
  const path = await fileOf([HEADER, ...rows()].join('\n'))
  const before = await readFile(path, 'utf8')
  const { code, stderr } = await predict(path, '--out', join(folder, '.', basename(path)))
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--out') })
  expect(await readFile(path, 'utf8')).toBe(before)
})
