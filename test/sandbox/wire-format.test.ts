import { startErp } from '../../sandbox/index.ts'
import { V4, get, ms, query, rowsOf } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startErp({ size: 500, days: 60, now: '2026-11-20T08:30:00Z' })
})
afterAll(() => erp.close())

describe('OData V2', () => {
  it('wraps rows, and names each of them', async () => {
    const [row] = await rowsOf(erp, 'API_PRODUCT_SRV/A_Product?$top=1')
    const id = `${erp.url}/sap/opu/odata/sap/API_PRODUCT_SRV/A_Product('000000000000000001')`
    expect(row!.__metadata).toEqual({ id, uri: id, type: 'API_PRODUCT_SRV.A_ProductType' })
  })

  it('writes days, instants, decimals and booleans as Gateway does', async () => {
    const [row] = await rowsOf(erp, 'API_PRODUCT_SRV/A_Product?$top=1')
    expect(row!.CreationDate).toMatch(/^\/Date\(\d+\)\/$/)
    expect(ms(row!.CreationDate) % 86_400_000).toBe(0)
    expect(row!.LastChangeDateTime).toMatch(/^\/Date\(\d+\+0000\)\/$/)
    expect(row!.CrossPlantStatusValidityDate).toBeNull()
    expect(row!.GrossWeight).toBe('1.200')
    expect(row!.IsMarkedForDeletion).toBe(false)
  })

  it('writes times as durations', async () => {
    const [row] = await rowsOf(erp, 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentHeader?$top=1')
    expect(row!.CreationTime).toMatch(/^PT\d\dH\d\dM\d\dS$/)
  })

  it('counts as text, when asked', async () => {
    const response = await get(erp, 'API_PRODUCT_SRV/A_Product?$top=1&$inlinecount=allpages')
    expect(await response.json()).toMatchObject({ d: { __count: '500' } })
    const count = await get(erp, 'API_PRODUCT_SRV/A_Product/$count')
    expect(await count.text()).toBe('500')
  })

  it('quotes and encodes peculiar keys', async () => {
    const sku = "RS-000500 A/1'#&ü"
    const filter = query({ $filter: `Product eq '${sku.replace("'", "''")}'` })
    const [row, ...others] = await rowsOf(erp, `API_PRODUCT_SRV/A_Product?${filter}`)
    expect(others).toEqual([])
    expect(row!.Product).toBe(sku)
    const { uri } = row!.__metadata as { uri: string }
    expect(uri).toMatch(/A_Product\('RS-000500%20A%2F1%27%27%23%26%C3%BC'\)$/)
  })

  it('defers what is not expanded, and expands with its own selection', async () => {
    const path = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentHeader?$top=3'
    const [deferred] = await rowsOf(erp, path)
    expect(deferred!.to_MaterialDocumentItem).toHaveProperty('__deferred.uri')
    const rows = await rowsOf(
      erp,
      `${path}&$expand=to_MaterialDocumentItem&$select=MaterialDocument,to_MaterialDocumentItem/Material`,
    )
    for (const row of rows) {
      const { results } = row.to_MaterialDocumentItem as { results: object[] }
      expect(results.length).toBeGreaterThan(0)
      expect(Object.keys(results[0]!)).toEqual(['__metadata', 'Material'])
    }
  })

  it('refuses what an adapter gets wrong, in Gateway’s error shape', async () => {
    const wrong = [
      '$foo=1',
      '$select=Nothing',
      '$filter=Nothing eq 1',
      '$filter=Product eq 1',
      "$filter=startswith(Product,'R')",
      "$filter=LastChangeDateTime ge datetime'2026-01-01T00:00:00'",
      '$orderby=Nothing',
      '$top=many',
      '$top=1&$top=2',
      '$expand=to_Nothing',
      '$format=xml',
      '$count=true',
    ]
    for (const option of wrong) {
      const response = await get(erp, `API_PRODUCT_SRV/A_Product?${option}`)
      expect([option, response.status]).toEqual([option, 400])
      const shape = { error: { code: expect.any(String), message: { lang: 'en' } } }
      expect(await response.json()).toMatchObject(shape)
    }
    expect((await get(erp, 'API_PRODUCT_SRV/A_Nothing')).status).toBe(404)
    expect((await get(erp, 'API_NOTHING_SRV/A_Product')).status).toBe(404)
    const sorted = 'API_OUTBOUND_DELIVERY_SRV;v=0002/A_OutbDeliveryHeader?$orderby=CreationDate'
    expect((await get(erp, sorted)).status).toBe(400)
  })

  it('takes no verb but GET, and counts the others', async () => {
    const url = `${erp.url}/sap/opu/odata/sap/API_PRODUCT_SRV/A_Product`
    const response = await fetch(url, { method: 'POST', headers: { authorization: erp.basic } })
    expect(response.status).toBe(405)
    expect(erp.control.counts().writes).toBe(1)
    expect(erp.log.at(-1)).toMatchObject({ method: 'POST', data: true })
  })
})

describe('OData V4', () => {
  it('writes days as text and decimals as numbers, or as text where that is asked', async () => {
    const path = `${V4}PurchaseOrderScheduleLine?$top=1&$count=true`
    const plain = (await (await get(erp, path)).json()) as Record<string, unknown>
    expect(plain['@odata.context']).toMatch(/\$metadata#PurchaseOrderScheduleLine$/)
    expect(plain['@odata.count']).toEqual(expect.any(Number))
    const [row] = plain.value as Record<string, unknown>[]
    expect(row!.ScheduleLineDeliveryDate).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(row!.ScheduleLineOrderQuantity).toEqual(expect.any(Number))
    const accept = { accept: 'application/json;IEEE754Compatible=true' }
    const exact = (await (await get(erp, path, accept)).json()) as { value: (typeof row)[] }
    expect(exact.value[0]!.ScheduleLineOrderQuantity).toMatch(/^\d+\.\d{3}$/)
  })

  it('is not there where it is not offered', async () => {
    erp.control.set({ v4: false })
    const response = await get(erp, `${V4}PurchaseOrder`)
    expect(response.status).toBe(404)
    expect(await response.json()).toHaveProperty('error.message', expect.any(String))
    erp.control.set({ v4: true })
  })
})
