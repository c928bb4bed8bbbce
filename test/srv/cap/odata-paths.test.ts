import cds from '@sap/cds'
import { serverUrl } from '../../support/server.ts'

const ask = (path: string, body?: string) => {
  const url = serverUrl()
  const user = path.startsWith('/odata/v4/admin') ? 'admin' : 'buyer'
  const Authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  const headers = { Authorization, 'Content-Type': 'application/json' }
  return fetch(url + path, body ? { method: 'POST', headers, body } : { headers })
}

it.each([
  "/odata/v4/buyer/Proposals('%ff')",
  '/odata/v4/buyer/%ZZ',
  '/odata/v4/%E0%A4%A',
  "/odata/v2/TASKPROCESSING/TaskCollection('%ff')",
])('a path that is no UTF-8 is refused, and the service lives on: %s', async (path) => {
  const answer = await ask(path)
  expect(answer.status).toBe(400)
  expect((await answer.json()) as object).toEqual({
    error: { code: '400', message: expect.any(String) },
  })
  expect((await ask('/odata/v4/buyer/Proposals?$top=1')).status).toBe(200)
})

describe.each(['/odata/v2/TASKPROCESSING/TaskCollection', '/odata/v4/buyer/Proposals'])(
  'of %s',
  (set) => {
    it.each([
      '$orderby=constructor',
      '$filter=toString eq 1',
      '$select=__proto__',
      '$expand=constructor',
      `$skip=${'9'.repeat(40)}`,
      '$top=-1',
      '$skip=-1',
    ])('what is no field, or beyond all numbers, is refused: %s', async (query) => {
      const answer = await ask(`${set}?${query}`)
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as { error: object }).error).toMatchObject({
        message: expect.stringContaining(query.split('=')[0]!),
      })
    })
  },
)

describe('names of the model that are no address', () => {
  it.each([
    ['/odata/v4/buyer', 'Overview'],
    ['/odata/v4/buyer', 'Overview()'],
    ['/odata/v4/buyer', 'BuyerService.Overview'],
    ['/odata/v4/buyer', '%4Fverview(1)'],
    ['/odata/v4/buyer', 'Risk/$count'],
    ['/odata/v4/buyer', 'Proposals(1)/BuyerService.Risk'],
    ['/odata/v4/TASKPROCESSING', 'DecisionOption'],
    ['/odata/v2/TASKPROCESSING', 'DecisionOption'],
    ['/odata/v2/TASKPROCESSING', "DecisionOption('x')"],
    ['/odata/v4/buyer', 'nothing'],
  ])('are not found: %s/%s', async (service, name) => {
    const answer = await ask(`${service}/${name}`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toMatch(/nothing at this address|Invalid resource path/)
  })

  it('none of any service, by any method, is a fault of ours', async () => {
    const bases = {
      BuyerService: ['/odata/v4/buyer'],
      AdminService: ['/odata/v4/admin'],
      TASKPROCESSING: ['/odata/v4/TASKPROCESSING', '/odata/v2/TASKPROCESSING'],
    }
    const { definitions } = cds.model!
    for (const [service, addresses] of Object.entries(bases)) {
      const names = Object.entries(definitions)
        .filter(([name, { kind }]) => name.startsWith(`${service}.`) && kind !== 'entity')
        .map(([name]) => name.slice(service.length + 1))
      expect(names.length).toBeGreaterThan(0)
      for (const name of names)
        for (const address of addresses)
          for (const body of [undefined, '{}']) {
            const answer = await ask(`${address}/${name}`, body)
            expect([address, name, answer.status < 500]).toEqual([address, name, true])
            await answer.text()
          }
    }
  })

  it('within a batch leave its other parts alone', async () => {
    const requests = ['Overview', 'Proposals?$top=1'].map((url, id) => ({
      ...{ id: String(id), method: 'GET', url },
    }))
    const answer = await ask('/odata/v4/buyer/$batch', JSON.stringify({ requests }))
    const { responses } = (await answer.json()) as { responses: { status: number }[] }
    expect(responses.map(({ status }) => status)).toEqual([404, 200])
  })
})

it.each([
  'Items?$filter=proposal eq null',
  "Items?$filter=contains(why,'a')",
  "Proposals?$filter=skuText eq 'x'",
  'Items?$apply=groupby((why))',
  'Exceptions?$filter=skuText ne null',
])('what is computed for each row can be no condition: %s', async (query) => {
  const answer = await ask(`/odata/v4/buyer/${query}`)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { error: object }).error).toMatchObject({
    ...{ code: 'invalid_parameter', message: expect.stringContaining('NonFilterableProperties') },
  })
})

describe('in a batch', () => {
  it.each([
    ...['$orderby=constructor', '$filter=toString eq 1', `$skip=${'9'.repeat(40)}`, '$top=-1'],
    "$filter=skuText eq 'x'",
  ])('one that is refused leaves the others alone: %s', async (query) => {
    const urls = ['Proposals?$top=1', `Proposals?${query}`, 'Proposals?$top=1']
    const requests = urls.map((url, id) => ({ id: String(id), method: 'GET', url }))
    const answer = await ask('/odata/v4/buyer/$batch', JSON.stringify({ requests }))
    const { responses } = (await answer.json()) as { responses: { status: number }[] }
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 200])
  })
})

it('texts may hold any word', async () => {
  const queries = ["$filter=supplier eq 'constructor'", '$search=constructor', 'constructor=1']
  for (const query of queries) {
    expect((await ask(`/odata/v4/buyer/Proposals?${query}`)).status).toBe(200)
  }
})

const all = (count: number, name: (at: number) => string, by: string) =>
  Array.from({ length: count }, (_, at) => name(at)).join(by)

it.each([
  ['$expand=*', /names its navigations, 25 at most/],
  ['$expand=events,*', /names its navigations/],
  ['$expand=toStatus($expand=*)', /names its navigations/],
  ['$expand=%2A', /names its navigations/],
  [`$expand=${all(26, () => 'events', ',')}`, /25 at most/],
  [`$filter=${all(90, (at) => `contains(sku,'x${at}')`, ' or ')}`, /20 searches in texts/],
  [`$search=${all(21, (at) => `w${at}`, ' ')}`, /20 words at most/],
])('what would hold up others is refused with what is allowed: %s', async (query, sentence) => {
  const answer = await ask(`/odata/v4/buyer/Proposals?${query}`)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { error: object }).error).toMatchObject({
    message: expect.stringMatching(sentence),
  })
})

it.each([
  '$expand=toStatus($select=code,name),toUrgency,events($select=ID;$top=3)',
  `$filter=${all(20, (at) => `contains(sku,'x${at}')`, ' or ')}`,
  `$search=${all(20, (at) => `w${at}`, ' ')}`,
])('what the apps ask for is answered: %s', async (query) => {
  expect((await ask(`/odata/v4/buyer/Proposals?$top=5&${query}`)).status).toBe(200)
})

it.each([
  ['Proposals?$expand=events', 400],
  ['Proposals?$expand=events($top=3)', 400],
  ['Proposals?$expand=toStatus,similar&$top=101', 400],
  ['Proposals?$expand=events&$top=100', 200],
  ['Proposals?$expand=toStatus,toUrgency', 200],
  ['Proposals(999999)?$expand=events,formula,similar', 404],
])('lists are expanded for a hundred rows at most, or for one: %s', async (path, status) => {
  const answer = await ask(`/odata/v4/buyer/${path}`)
  expect(answer.status).toBe(status)
  const body = JSON.stringify({ requests: [{ id: '1', method: 'GET', url: path }] })
  const batch = await ask('/odata/v4/buyer/$batch', body)
  const { responses } = (await batch.json()) as { responses: { status: number; body: object }[] }
  expect(responses[0]!.status).toBe(status)
  if (status !== 400) return
  expect(responses[0]!.body).toMatchObject({
    error: { message: expect.stringMatching(/^\$expand=\w+ needs a \$top of 100 at most/) },
  })
})

it.each(['v2', 'v4'])('My Inbox expands the lists of all its tasks: %s', async (version) => {
  const path = `/odata/${version}/TASKPROCESSING/TaskCollection?$expand=Comments,CustomAttributeData`
  expect((await ask(path)).status).toBe(200)
})
