import cds from '@sap/cds'
import { parse } from 'csv-parse/sync'
import { Proposals } from '../../../srv/base/database/entities.ts'
import type { Page } from '../../../client/types.ts'
import { errorOf, get, post } from './api.ts'
import { LOCATIONS, pending, readDemand, SKUS } from './demand.ts'

beforeAll(() => readDemand('proposals'))

interface Row {
  id: string
  value: string
  urgency: string
}

const URGENCIES = ['stocked_out', 'stockout_before_arrival', 'due', 'ahead']

/** All pages of a list. */
async function walk(path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  for (;;) {
    const answer = await get(`${path}limit=${limit}${cursor}`)
    const { status } = answer
    const json = answer.json as Page<Row>
    expect(status).toBe(200)
    expect(json.has_more).toBe(json.next_cursor !== null)
    rows.push(...json.data)
    if (!json.has_more) return rows
    expect(json.data).toHaveLength(limit)
    cursor = `&cursor=${json.next_cursor}`
  }
}

describe('GET /proposals', () => {
  it('lists every proposal with numbers that add up', async () => {
    const { json } = await get('/proposals?limit=200')
    expect(json.data).toHaveLength(SKUS.length * LOCATIONS.length)
    for (const { quantity, calculation: c, rationale, id } of json.data) {
      expect(id).toMatch(/^prop_\d+$/)
      const position = c.on_hand + c.on_order + c.open_proposals
      expect(c.net_requirement).toBe(Math.max(0, c.target_stock - position))
      const raised = Math.max(c.net_requirement, c.moq)
      expect(quantity).toBe(Math.ceil(raised / c.lot_size) * c.lot_size)
      for (const number of [c.p50, c.on_hand, c.lead_time_days])
        expect(rationale).toMatch(new RegExp(`\\b${number}\\b`))
    }
  })

  it.each(['/proposals?', '/proposals?sort=urgency&', '/proposals?sort=-value&'])(
    'gives %s in pages that miss and repeat nothing',
    async (path) => {
      const whole = ((await get(`${path}limit=200`)).json as Page<Row>).data
      for (const limit of [1, 3, 16]) {
        expect((await walk(path, limit)).map(({ id }) => id)).toEqual(
          whole.map(({ id }: Row) => id),
        )
      }
    },
  )

  it('sorts by creation, urgency and value', async () => {
    const numbers = (await walk('/proposals?', 5)).map(({ id }) => Number(id.slice(5)))
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    const values = (await walk('/proposals?sort=-value&', 5)).map(({ value }) => Number(value))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    const ranks = (await walk('/proposals?sort=urgency&', 5)).map(({ urgency }) =>
      URGENCIES.indexOf(urgency),
    )
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  })

  it('filters', async () => {
    const count = async (query: string) => (await get(`/proposals?${query}`)).json.data.length
    expect(await count('location=L1')).toBe(SKUS.length)
    expect(await count('sku=%3DA1')).toBe(LOCATIONS.length)
    expect(await count('sku=%3DA1&location=L2')).toBe(1)
    expect(await count('supplier=S1')).toBe(SKUS.length * LOCATIONS.length)
    expect(await count('supplier=S2')).toBe(0)
    expect(await count('status=approved')).toBe(0)
    expect(await count('status=approved&status=pending&location=L1')).toBe(SKUS.length)
    expect(await count('updated_since=2020-01-01T00:00:00Z&location=L1')).toBe(SKUS.length)
    expect(await count('updated_since=2990-01-01T00:00:00Z')).toBe(0)
    const all = (await get('/proposals')).json.data.map(({ value }) => Number(value))
    const some = all.filter((value: number) => value >= 100).length
    expect(await count('min_value=100.00')).toBe(some)
    const days = (await get('/proposals')).json.data.map(({ order_by }) => String(order_by)).sort()
    const until = days.filter((day) => day <= days[0]!).length
    expect(await count(`order_by_until=${days[0]}`)).toBe(until)
    expect(await count('order_by_until=2020-01-01')).toBe(0)
  })

  it('binds a cursor to its filters and sort, not to its limit', async () => {
    const cursor = (await get('/proposals?location=L1&limit=2')).json.next_cursor
    const refused = { status: 400, code: 'invalid_cursor', target: 'cursor' }
    expect((await get(`/proposals?location=L1&limit=5&cursor=${cursor}`)).status).toBe(200)
    for (const query of ['location=L2', 'location=L1&sort=-value', 'location=L1&sku=B2', '']) {
      expect(errorOf(await get(`/proposals?${query}&cursor=${cursor}`))).toEqual(refused)
    }
    expect(errorOf(await get(`/proposals/blocked?cursor=${cursor}`))).toEqual(refused)
    for (const rubbish of ['', 'x', 'ä', '%00', `${cursor}x`, cursor!.slice(1), `${cursor}%3D`]) {
      const answer = await get(`/proposals?location=L1&cursor=${rubbish}`)
      expect([rubbish, errorOf(answer)]).toEqual([rubbish, refused])
    }
  })
})

describe('GET /proposals/:id', () => {
  it('shows what the list shows', async () => {
    const [row] = (await get('/proposals?limit=1')).json.data
    expect((await get(`/proposals/${row!.id}`)).json).toEqual(row)
  })

  it.each([
    'prop_0',
    'prop_999999',
    'prop_99999999999',
    'prop_1x',
    'PROP_1',
    '1',
    'prop_-1',
    '%00',
  ])('knows no proposal %s', async (id) => {
    const expected = { status: 404, code: 'proposal_not_found' }
    expect(errorOf(await get(`/proposals/${id}`))).toEqual(expected)
    expect(errorOf(await get(`/proposals/${id}/history?limit=0`))).toEqual(expected)
  })

  it('has a history from its creation on', async () => {
    const [id] = await pending()
    const { json } = await get(`/proposals/${id}/history`)
    expect(json.data[0]).toMatchObject({ event: 'created', via: 'system', version: 1 })
  })
})

describe('GET /proposals/blocked', () => {
  it('names what is missing', async () => {
    const { json } = await get('/proposals/blocked')
    expect(json.data).toContainEqual({
      ...{ sku: 'blocked', location: 'L1', missing: 'lead_time', reason: expect.any(String) },
    })
  })
})

describe('GET /proposals/export', () => {
  it('gives approved proposals as CSV that no spreadsheet executes', async () => {
    const [row] = (await get('/proposals?sku=%3DA1&location=L1')).json.data
    expect((await post(`/proposals/${row!.id}/approve`)).status).toBe(200)
    const { status, headers, text } = await get('/proposals/export?status=approved')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(headers.has('x-ratelimit-limit')).toBe(true)
    expect(parse(text, { columns: true })).toEqual([
      expect.objectContaining({
        ...{ external_reference: row!.id, sku: "'=A1", location: 'L1', status: 'approved' },
        ...{ quantity: String(row!.quantity), value: row!.value, decided_by: 'approver' },
      }),
    ])
    const { json } = await get('/proposals/export?format=json')
    expect(json.data.map(({ id }) => id)).toEqual([row!.id])
  })

  it('takes the filters of the list', async () => {
    const { text } = await get('/proposals/export?status=pending&location=L2')
    expect(parse(text, { columns: true })).toHaveLength(SKUS.length)
    expect(errorOf(await get('/proposals/export?limit=5')).code).toBe('invalid_parameter')
    expect(errorOf(await get('/proposals/export?format=xml')).code).toBe('invalid_parameter')
  })
})

describe('a proposal without a cost', () => {
  it('comes last by value, and is neither missed nor repeated in pages', async () => {
    const set = { value: null, unitCost: null }
    await cds.ql.UPDATE.entity(Proposals).set(set).where({ location: 'L2' })
    const whole = (await get('/proposals?sort=-value&limit=200')).json.data
    const missing = whole.map(({ value }) => value === null)
    expect(missing).toEqual(missing.toSorted())
    expect(missing.filter(Boolean)).toHaveLength(SKUS.length)
    const ids = whole.map(({ id }) => id)
    for (const limit of [1, 3, SKUS.length]) {
      const walked = await walk('/proposals?sort=-value&', limit)
      expect(walked.map(({ id }) => id)).toEqual(ids)
    }
  })
})
