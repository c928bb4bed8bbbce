import { parseRows } from '../../../adapters/odata/client.ts'

interface Row {
  __metadata: { id: string }
  Product: string
  to_Plant?: { results: Row[] }
}

const row = (number: number, children: Row[] = []): Row => ({
  __metadata: { id: `http://erp.example/sap/A_Product('${number}')` },
  Product: `${number} }},{"__metadata":{"id":"http://erp.example/sap/A_Product( äß`,
  to_Plant: { results: children },
})
const child = (number: number): Row => ({
  __metadata: { id: `http://erp.example/sap/A_ProductPlant('${number}')` },
  Product: String(number),
})
const pageOf = (rows: unknown[]) =>
  Buffer.from(JSON.stringify({ d: { results: rows, __next: 'n' } }))
const idOf = ({ __metadata, to_Plant }: Row) => `${__metadata.id} ${to_Plant!.results.length}`

function all(answer: Buffer) {
  const { kept, rest } = parseRows<Row, string>(answer, idOf)
  const { d } = rest as { d: { results: Row[]; __next: string } }
  expect(d.__next).toBe('n')
  return { ids: [...kept, ...d.results.map(idOf)], parts: kept.length }
}

test('keeps what is asked for of all rows of a long answer, with children and awkward texts in them', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => row(at, [child(1), child(2)]))
  const { ids, parts } = all(pageOf(rows))
  expect(ids).toEqual(rows.map(idOf))
  expect(parts).toBeGreaterThan(900)
})

test.each([0, 1, 2, 150])('parses an answer of %i rows', (length) => {
  const rows = Array.from({ length }, (_, at) => row(at))
  expect(all(pageOf(rows)).ids).toEqual(rows.map(idOf))
})

test('leaves rows of other formats to the caller', () => {
  const value = Array.from({ length: 1_000 }, (_, at) => ({ Product: String(at) }))
  const answer = Buffer.from(JSON.stringify({ value }))
  expect(parseRows(answer, (each) => each)).toEqual({ kept: [], rest: { value } })
})

test('refuses an answer that breaks off anywhere', () => {
  const answer = pageOf(Array.from({ length: 500 }, (_, at) => row(at)))
  for (let end = answer.length - 1; end > 0; end -= 997) {
    expect(() => parseRows(answer.subarray(0, end), (each) => each)).toThrow(SyntaxError)
  }
})
