// Calls that make CAP or its V2 adapter throw must not end the service or affect other calls.
import { Service } from '../support/service.ts'

let service: Service

beforeAll(async () => {
  service = await Service.inTemporaryFolder()
  await service.start({ RESTOCK_DEMO: 'key' })
})
afterAll(() => service.clean())

const Authorization = `Basic ${Buffer.from('approver:approver').toString('base64')}`
const ask = (path: string, options: RequestInit = {}) =>
  fetch(service.url + path, {
    ...options,
    headers: { Authorization, ...options.headers },
    signal: AbortSignal.timeout(30_000),
  })

const batchOf = (lines: string) =>
  `--x\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${lines}\r\n\r\n\r\n--x--\r\n`

it.each([
  ['no batch', 'garbage'],
  ['a path that is no UTF-8', batchOf("GET TaskCollection('%ff') HTTP/1.1")],
  ['an unknown method', batchOf('FOO TaskCollection HTTP/1.1')],
  ['a write of nothing', batchOf('POST TaskCollection?$top=1 HTTP/1.1')],
])('%s in a batch of My Inbox', async (_, body) => {
  const path = '/odata/v2/TASKPROCESSING'
  const fetched = await ask(path, { headers: { 'X-CSRF-Token': 'Fetch' } })
  const headers = {
    'X-CSRF-Token': fetched.headers.get('x-csrf-token')!,
    'Content-Type': 'multipart/mixed; boundary=x',
  }
  await ask(`${path}/$batch`, { method: 'POST', headers, body })
  expect((await ask('/health')).status).toBe(200)
})

it.each(["/odata/v4/buyer/Proposals('%ff')", '/odata/v4/buyer/Proposals?$expand=constructor'])(
  'a read of %s',
  async (path) => {
    expect((await ask(path)).status).toBeGreaterThanOrEqual(400)
    expect((await ask('/health')).status).toBe(200)
  },
)

it('shuts down in good order when it is asked to', async () => {
  expect(await service.stop()).toBe(0)
})
