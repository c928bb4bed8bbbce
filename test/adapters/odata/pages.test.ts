import type { ODataClient, WirePage } from '../../../adapters/odata/client.ts'
import { allRowsOf, pages as pagesOf } from '../../../adapters/odata/pages.ts'
import { PRODUCT } from '../../../adapters/s4hana/services.ts'

interface Row {
  K: string
}
type Given = [keys: string, total: number | null]

const query = { service: PRODUCT, set: 'A', key: ['K'], select: ['K'], top: 5 }

/** Reads from an ERP that gives these pages, one for each request. */
async function read(...pages: Given[]) {
  const asked: Record<string, string>[] = []
  const odata = {
    url(_service: unknown, _set: string, parameters: Record<string, string>) {
      asked.push(parameters)
      return new URL('https://erp.example.com/A')
    },
    async page(): Promise<WirePage<Row>> {
      const [keys, total] = pages.shift()!
      return { rows: [...keys].map((K) => ({ K })), next: null, total, serverTime: null }
    },
  } as unknown as ODataClient
  const rows = await allRowsOf(pagesOf<Row>(odata, query, {}, new AbortController().signal))
  return { keys: rows.map(({ K }) => K).join(''), asked }
}

describe('pages without links', () => {
  it('go on behind one that is shorter than asked for, where the ERP counts more rows', async () => {
    const { keys, asked } = await read(['abc', 7], ['def', null], ['g', null])
    expect(keys).toBe('abcdefg')
    expect(asked.map(({ $filter }) => $filter)).toEqual([undefined, "(K gt 'c')", "(K gt 'f')"])
  })

  it('end where rows have gone since they were counted', async () => {
    const { keys, asked } = await read(['abc', 4], ['', null], ['', 0])
    expect(keys).toBe('abc')
    expect(asked.map(({ $inlinecount }) => $inlinecount)).toEqual([
      'allpages',
      undefined,
      'allpages',
    ])
  })

  it('are not believed to be none where there are some', async () => {
    await expect(read(['', 3], ['', 3], ['', 3])).rejects.toThrow('has 3 rows of A')
  })

  it('end at a short one where the ERP does not count', async () => {
    expect((await read(['abcde', null], ['fg', null])).keys).toBe('abcdefg')
  })
})

it('ends where the ERP links from one page of nothing to the next', async () => {
  let asked = 0
  const address = new URL('https://erp.example.com/A')
  const odata = {
    url: () => address,
    page: async () => ({
      ...{ rows: [], total: null, serverTime: null },
      next: new URL(`?$skiptoken=${++asked}`, address),
    }),
  } as unknown as ODataClient
  const reading = allRowsOf(pagesOf<Row>(odata, query, {}, new AbortController().signal))
  await expect(reading).rejects.toMatchObject({
    ...{ name: 'Retriable', message: expect.stringContaining('pages of A without a row') },
  })
  expect(asked).toBe(100)
})
