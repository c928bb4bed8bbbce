// Servers whose links to next pages never end.
import { Links } from '../../../adapters/odata/links.ts'

const address = (skip: number | string) => new URL(`https://erp.example.com/A?$skip=${skip}`)
const page = (rows: object[], next: URL | null) => ({ rows, next, total: null, serverTime: null })

/** Follows the links of pages, each with its number. @returns how many were followed */
function follow(pages: Iterable<[rows: object[], next: string | number | null]>): number {
  const links = new Links('A')
  let [url, followed] = [address('first'), 0]
  for (const [rows, next] of pages) {
    const to = next === null ? null : address(next)
    links.follow(url, page(rows, to))
    if (!to) break
    url = to
    followed++
  }
  return followed
}

function* endless(rowsOf: (at: number) => object[]): Generator<[object[], number]> {
  for (let at = 0; ; at++) yield [rowsOf(at), at]
}

const row = (K: number) => ({ K })

it.each([
  ['of the first page', [[[row(1)], 'first']]],
  [
    'of the page before',
    [
      [[row(1)], 1],
      [[row(2)], 1],
    ],
  ],
  [
    'of an earlier page',
    [
      [[row(1)], 1],
      [[row(2)], 2],
      [[row(3)], 1],
    ],
  ],
] as [string, [object[], string | number][]][])('a link %s is not followed', (_name, pages) => {
  expect(() => follow(pages)).toThrow(/same page of A again and again/)
})

it('a page that comes again under another link is not read for ever', () => {
  expect(() => follow(endless(() => [row(1), row(2)]))).toThrow(/same page of A again and again/)
})

it('pages of nothing are followed for a while', () => {
  expect(() => follow(endless(() => []))).toThrow(/100 pages of A without a row/)
  const sparse = (at: number) => (at % 99 ? [] : [row(at)])
  function* some() {
    for (const [rows, next] of endless(sparse))
      yield [rows, next < 500 ? next : null] as [object[], number | null]
  }
  expect(follow(some())).toBe(500)
})

it('there is an end of pages', () => {
  expect(() => follow(endless((at) => [row(at)]))).toThrow(
    expect.objectContaining({ code: 'unexpected_content' }),
  )
})
