import { openTable } from '../../tables/open-table.ts'
import { TableRefused } from '../../tables/refusal.ts'

const NAMES = ['sku', 'location', 'date', 'quantity']
const HEADER = `${NAMES.join(',')}\n`
const GOOD = 'A-1,L1,2026-01-01,4\n'
const CHUNK = 65_536

/** Opens and reads a file of these lines. @returns how much of it was looked at, and the rows with a problem */
async function read(body: string) {
  const bytes = Buffer.from(HEADER + body)
  let looked = 0
  const table = openTable({
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        looked = Math.max(looked, at + CHUNK)
        yield bytes.subarray(at, at + CHUNK)
      }
    },
    wanted: { required: NAMES, optional: [] },
    trim: true,
    kindsOf: () => new Map(),
    declared: {},
  })
  const count = { rows: 0, broken: 0 }
  try {
    for await (const rows of (await table).rows()) {
      count.rows += rows.length
      count.broken += rows.filter(({ problem }) => problem).length
    }
    return { ...count, refusal: null, looked }
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error
    return { ...count, refusal: error, looked }
  }
}

it.each([
  ['stray quotes', '"\n', /quote within a cell twice: "/],
  ['quotes within cells', 'A-"1,L"1,2026-01-"01,4\n', /quote within a cell twice: A-"1,L"1/],
  ['another separator', 'A-1;L1;2026-01-01;4\n', /separate them by "," as there/],
  ['bytes that are no text', 'A\0,L,2026-01-01,4\n', /contains a NUL character/],
])('a file of %s is given up after some hundred rows', async (_what, line, sentence) => {
  const { refusal, looked } = await read(line.repeat(2_000_000 / line.length))
  expect(refusal).toMatchObject({ code: 'too_many_bad_rows', line: 2 })
  expect(refusal!.message).toMatch(
    /^500 of the first 5\d\d rows cannot be read, this is the first: /,
  )
  expect(refusal!.message).toMatch(sentence)
  expect(looked).toBeLessThan(4 * CHUNK)
})

it('a file that is mostly good is read to its end, however many rows are broken', async () => {
  const body = `${GOOD.repeat(3)}A-"1,L1,2026-01-01,4\n`.repeat(3_000)
  expect(await read(body)).toMatchObject({ rows: 12_000, broken: 3_000, refusal: null })
})

it('a short file of broken rows is read to its end', async () => {
  expect(await read('"\n'.repeat(400))).toMatchObject({ rows: 400, broken: 400, refusal: null })
})
