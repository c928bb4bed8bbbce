import cds from '@sap/cds'
import { daysAgo, sync } from '../../support/server.ts'
import { lateOrder, openStore } from '../proposals/late-orders.ts'
import { aKey, errorOf, get, post } from './api.ts'
import { AuditLog } from '../../../srv/base/database/entities.ts'

const { SELECT } = cds.ql

type Row = Record<string, string | number | null>

beforeAll(async () => {
  const overdue = (sku: string) => ({ ...lateOrder(sku), quantity: 10, due: daysAgo(3) })
  const source = await openStore('v1-exceptions', { '=A': 60, B: 4000, C: 60, D: 8 }, [
    ...['=A', 'B', 'C'].map(overdue),
    lateOrder('D'),
  ])
  await sync(source)
})

const rowsOf = async (query = ''): Promise<Row[]> => (await get(`/exceptions?${query}`)).json.data

describe('GET /exceptions', () => {
  it('shows what is the matter, with its order, days and value', async () => {
    const [row] = await rowsOf('kind=expedite')
    expect(row).toMatchObject({
      ...{ kind: 'expedite', sku: 'D', location: 'L1', supplier: 'S-1', document: 'PO-D/1' },
      ...{ from: daysAgo(-8), currency: 'EUR', settled_at: null, settled_by: null, comment: null },
    })
    expect(row!.id).toMatch(/^exc_[1-9]\d*$/)
    expect(row!.value).toBe((Number(row!.quantity) * 2.5).toFixed(2))
    expect(row!.to! < row!.from!).toBe(true)
    const [overstock] = await rowsOf('kind=overstock')
    expect(overstock).toMatchObject({ sku: 'B', document: null, from: null, to: null })
  })

  it('filters', async () => {
    const count = async (query: string) => (await rowsOf(query)).length
    expect(await count('')).toBe(5)
    expect(await count('kind=overdue_order')).toBe(3)
    expect(await count('kind=overdue_order&kind=overstock')).toBe(4)
    expect(await count('kind=stale_data')).toBe(0)
    expect(await count('sku=%3DA')).toBe(1)
    expect(await count('sku=B&kind=overstock')).toBe(1)
    expect(await count('location=L1')).toBe(5)
    expect(await count('location=L2')).toBe(0)
    expect(await count('supplier=S-1')).toBe(5)
    expect(await count('supplier=S-2')).toBe(0)
    expect(await count('settled=false')).toBe(5)
  })

  it('is read page by page, the newest first, with a cursor that is bound to its filters', async () => {
    const seen: unknown[] = []
    for (let cursor = ''; ;) {
      const { json } = await get(`/exceptions?limit=2${cursor}`)
      seen.push(...json.data.map(({ id }: Row) => id))
      if (!json.has_more) break
      cursor = `&cursor=${json.next_cursor}`
    }
    expect(seen).toEqual((await rowsOf()).map(({ id }) => id))
    const { next_cursor } = (await get('/exceptions?limit=2')).json
    for (const query of ['sku=B', 'kind=overstock', 'settled=true']) {
      expect(errorOf(await get(`/exceptions?${query}&cursor=${next_cursor}`)).code).toBe(
        'invalid_cursor',
      )
    }
  })

  it.each([
    ['kind=late', 'kind'],
    ['kind=', 'kind'],
    ['sku=', 'sku'],
    ['sku=A&sku=B', 'sku'],
    ['settled=yes', 'settled'],
    ['limit=0', 'limit'],
    ['status=open', 'status'],
  ])('refuses %s', async (query, target) => {
    expect(errorOf(await get(`/exceptions?${query}`))).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target },
    })
  })

  it('needs the right to read proposals, and counts as they do', async () => {
    const key = await aKey({ scopes: ['proposals:decide'] })
    expect(errorOf(await get('/exceptions', { key })).code).toBe('insufficient_scope')
    const { headers } = await get('/exceptions', { key: await aKey() })
    expect(headers.get('x-ratelimit-limit')).toBe('120')
  })
})

describe('POST /exceptions/:id/settle', () => {
  const idOf = async (query: string) => (await rowsOf(query))[0]!.id as string

  it('takes it off the list; again it changes nothing', async () => {
    const id = await idOf('sku=C')
    const { status, json } = await post(`/exceptions/${id}/settle`, { comment: 'Called them' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, settled_by: 'approver', comment: 'Called them' })
    expect(json.settled_at).toMatch(/Z$/)
    const again = await post(`/exceptions/${id}/settle`, { comment: 'Again' })
    expect([again.status, again.json]).toEqual([200, json])
    expect(await rowsOf('sku=C')).toEqual([])
    expect(await rowsOf('sku=C&settled=true')).toEqual([json])
    const acts = await SELECT.from(AuditLog).where({ object: id })
    expect(acts).toMatchObject([{ action: 'exception.settled', actor: 'approver', via: 'api' }])
  })

  it('takes no body', async () => {
    const { status, json } = await post(`/exceptions/${await idOf('sku=%3DA')}/settle`)
    expect([status, json.comment]).toEqual([200, null])
  })

  it.each(['exc_0', 'exc_999999', 'exc_99999999999', 'exc_1x', 'prop_1', '1'])(
    'is 404 for %s',
    async (id) => {
      const answer = await post(`/exceptions/${encodeURIComponent(id)}/settle`, { colour: 1 })
      expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' })
    },
  )

  it.each([
    [{ comment: 5 }, 'comment'],
    [{ comment: 'x'.repeat(1001) }, 'comment'],
    [{ reason: 'other' }, 'reason'],
  ])('refuses %j', async (body, target) => {
    const answer = await post(`/exceptions/${await idOf('sku=D')}/settle`, body)
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('needs the right to decide', async () => {
    const key = await aKey({ scopes: ['proposals:read'] })
    const answer = await post(`/exceptions/${await idOf('sku=D')}/settle`, {}, { key })
    expect(errorOf(answer).code).toBe('insufficient_scope')
  })
})
