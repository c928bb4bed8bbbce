import { startErp } from '../../sandbox/index.ts'
import { V4, all, get, query, rowsOf } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'
import type { Row } from './client.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startErp({ size: 1500, days: 60, now: '2026-11-20T08:30:00Z' })
})
afterAll(() => erp.close())
afterEach(() => erp.control.set({ paging: 'server', maxPage: 5000 }))

const ITEMS = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentItem'
const key = (row: Row) =>
  `${row.MaterialDocumentYear}/${row.MaterialDocument}/${row.MaterialDocumentItem}`

describe('paging by the server', () => {
  it('gives pages of 1,000 with a link to the next, every row once and in the order of the keys', async () => {
    const response = await get(erp, `${ITEMS}?$select=MaterialDocument`)
    const { d } = (await response.json()) as { d: { results: Row[]; __next: string } }
    expect(d.results).toHaveLength(1000)
    expect(d.__next).toContain('$skiptoken=')
    const keys = (await all(erp, ITEMS)).map(key)
    expect(keys).toHaveLength(erp.control.counts().documentItems)
    expect(keys).toEqual([...new Set(keys)].sort())
  })

  it('gives no link where $top is reached, and never more than a page’s maximum', async () => {
    const count = (path: string) => rowsOf(erp, path).then((rows) => rows.length)
    expect(await count(`${ITEMS}?$top=7`)).toBe(7)
    erp.control.set({ maxPage: 300 })
    expect(await count(`${ITEMS}?$top=800`)).toBe(300)
    expect(await all(erp, `${ITEMS}?$top=800`)).toHaveLength(800)
  })

  it('links relatively in V4', async () => {
    const response = await get(erp, `${V4}PurchaseOrderScheduleLine`)
    const page = (await response.json()) as { value: Row[]; '@odata.nextLink': string }
    expect(page.value).toHaveLength(100)
    expect(page['@odata.nextLink']).toMatch(/^PurchaseOrderScheduleLine\?\$skiptoken=/)
    expect((await get(erp, V4 + page['@odata.nextLink'])).status).toBe(200)
  })
})

describe('without paging', () => {
  it('gives all rows at once, and $top without a link', async () => {
    erp.control.set({ paging: 'none' })
    const { documentItems } = erp.control.counts()
    expect(await rowsOf(erp, ITEMS)).toHaveLength(documentItems)
    const response = await get(erp, `${ITEMS}?$top=1000`)
    const { d } = (await response.json()) as { d: object }
    expect(d).not.toHaveProperty('__next')
  })

  it('goes on by key and by $skip', async () => {
    erp.control.set({ paging: 'none' })
    const whole = (await rowsOf(erp, ITEMS)).map(key)
    const byKey: string[] = []
    const bySkip: string[] = []
    let $filter = "MaterialDocument gt ''"
    for (;;) {
      const page = await rowsOf(erp, `${ITEMS}?${query({ $top: 700, $filter })}`)
      byKey.push(...page.map(key))
      if (page.length < 700) break
      const [y, d, i] = key(page.at(-1)!).split('/')
      $filter =
        `(MaterialDocumentYear gt '${y}') or (MaterialDocumentYear eq '${y}' and MaterialDocument gt '${d}') or ` +
        `(MaterialDocumentYear eq '${y}' and MaterialDocument eq '${d}' and MaterialDocumentItem gt '${i}')`
    }
    for (let $skip = 0; $skip < whole.length; $skip += 700) {
      bySkip.push(...(await rowsOf(erp, `${ITEMS}?${query({ $top: 700, $skip })}`)).map(key))
    }
    expect(byKey).toEqual(whole)
    expect(bySkip).toEqual(whole)
  })
})
