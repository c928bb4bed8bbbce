import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sendShortValues } from '../../../srv/base/cap/short-values.ts'

/** The values that CAP's service is left with. */
async function sent(values: unknown) {
  const service = { _prepareStreams: (_query: object, given: unknown): unknown => given }
  sendShortValues(service)
  return service._prepareStreams({}, values)
}

const rows = (chunks: string[]) =>
  Object.assign(Readable.from(chunks, { objectMode: false }), { type: 'json' })

it('sends short rows as a text, with what stands beside them', async () => {
  expect(await sent(['a', rows(['[{"sku":"Käse"', ',"n":1}]']), 2])).toEqual([
    'a',
    '[{"sku":"Käse","n":1}]',
    2,
  ])
  expect(await sent([rows([])])).toEqual([''])
})

it('sends long ones as a stream of the same', async () => {
  const chunks = Array.from({ length: 9 }, (_, at) => `${at}ü`.repeat(20_000))
  const [value] = (await sent([rows(chunks)])) as [Readable & { type: string }]
  expect(value).toBeInstanceOf(Readable)
  expect(value.type).toBe('json')
  expect(await text(value)).toBe(chunks.join(''))
})

it('fails as the rows do', async () => {
  const broken = rows([])
  broken.destroy(new Error('no more rows'))
  await expect(sent([broken])).rejects.toThrow('no more rows')
})

it('leaves other values to CAP', async () => {
  const file = Readable.from([Buffer.from('x')])
  for (const values of [undefined, { a: 1 }, ['a', 1], [file]])
    expect(await sent(values)).toBe(values)
})
