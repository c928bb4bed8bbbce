import { readDemand } from '../v1/demand.ts'
import { serverUrl } from '../../support/server.ts'

beforeAll(() => readDemand('unfit'))

const ask = (path: string, body?: object) => {
  const user = path.startsWith('/odata/v4/admin') ? 'admin' : 'approver'
  const Authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  const headers = { Authorization, 'Content-Type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  return fetch(serverUrl() + path, init)
}

const CONDITIONS = [
  'orderBy eq 0000-01-01',
  'orderBy gt 2026-02-30',
  'createdAt gt 0000-01-01T00:00:00Z',
  'quantity eq 1.5',
  'quantity eq 1e400',
  "quantity eq 'x'",
  "quantity in (1,2,'x')",
  'ID eq 99999999999',
  "sku eq '\0'",
  "matchespattern(sku,'(')",
  "substring(sku,1,-1) eq 'x'",
  'year(sku) eq 2026',
  'round(sku) eq 1',
  "tolower(quantity) eq '1'",
].map((condition) => `Proposals?$top=1&$filter=${encodeURIComponent(condition)}`)

const ASKED = [
  ...CONDITIONS,
  'Proposals(99999999999)',
  'Proposals?$skiptoken=99999999999999999999',
  'Proposals?$search=%00',
  'Proposals?$apply=aggregate(sku with sum as x)',
  'Proposals?$apply=aggregate(orderBy with average as x)',
  'Proposals?$apply=topcount(2,quantity)',
  `Proposals?$top=1&$select=x&$compute=${encodeURIComponent('quantity div 0 as x')}`,
]

it.each(ASKED)('what fits no element is no fault of ours: %s', async (query) => {
  const answer = await ask(`/odata/v4/buyer/${query}`)
  const { error } = (await answer.json()) as { error?: { code: string; message: string } }
  expect(answer.status).toBeLessThan(500)
  if (answer.status === 400) expect(error!.message).toMatch(/does not fit|\$skiptoken|valid/)
})

it('of the administration, too', async () => {
  const beyond = encodeURIComponent('leadTimeDays eq 99999999999')
  expect((await ask(`/odata/v4/admin/Policies?$filter=${beyond}`)).status).toBeLessThan(500)
  expect((await ask('/odata/v4/admin/Sources(99999999999)')).status).toBeLessThan(500)
})

it('within a batch leaves its other parts alone', async () => {
  const regex = encodeURIComponent("matchespattern(sku,'(')")
  const urls = [`Proposals?$top=1&$filter=${regex}`, 'Proposals?$top=1']
  const requests = urls.map((url, id) => ({ id: String(id), method: 'GET', url }))
  const answer = await ask('/odata/v4/buyer/$batch', { requests })
  const { responses } = (await answer.json()) as { responses: { status: number }[] }
  expect(responses.map(({ status }) => status)).toEqual([400, 200])
})

describe('a text that no database holds', () => {
  it.each(['\0', 'half an emoji: \ud83d'])(
    'is refused by the name of its field: %j',
    async (comment) => {
      const body = { reason: 'price', comment }
      const answer = await ask('/odata/v4/buyer/Proposals(1)/BuyerService.decline', body)
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as { error: object }).error).toMatchObject({
        code: 'invalid_parameter',
        target: 'comment',
      })
    },
  )

  it('is refused in a batch, and its other parts are done', async () => {
    const requests = ['\ud83d', '😀'].map((comment, at) => ({
      id: String(at),
      method: 'POST',
      url: `Proposals(${at + 2})/BuyerService.decline`,
      headers: { 'content-type': 'application/json' },
      body: { reason: 'price', comment },
    }))
    const answer = await ask('/odata/v4/buyer/$batch', { requests })
    const { responses } = (await answer.json()) as { responses: { status: number }[] }
    expect(responses.map(({ status }) => status)).toEqual([400, 200])
  })
})
