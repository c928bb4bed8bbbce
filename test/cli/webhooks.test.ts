import { withApi } from './setup.ts'

const bench = withApi()

const WEBHOOK = {
  ...{ id: 'wh_1', url: 'https://shop.example/hook', events: ['proposal.approved'] },
  ...{ status: 'active', disabled_reason: null, failing_since: null },
}
const page = (rows: object[], next: string | null = null) => ({
  body: { data: rows, next_cursor: next, has_more: next !== null },
})

it('adds a webhook, and prints nothing but its secret to stdout', async () => {
  bench.api.on('POST /webhooks', { status: 201, body: { ...WEBHOOK, secret: 'whsec_1' } })
  const args = [WEBHOOK.url, '--events', 'proposal.approved,sync.failed']
  const { code, stdout, stderr } = await bench.run('webhooks', 'add', ...args)
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'whsec_1\n' })
  expect(stderr).toContain('Added wh_1')
  expect(bench.api.received[0]?.body).toEqual({
    url: WEBHOOK.url,
    events: ['proposal.approved', 'sync.failed'],
  })
})

it('lists webhooks, and says so where there are none', async () => {
  bench.api.on('GET /webhooks', page([WEBHOOK], 'c'))
  const { stdout, stderr } = await bench.run('webhooks', 'list')
  expect(stdout.split('\n')[1]).toMatch(/^wh_1 +https:\/\/shop.example\/hook +active .*approved$/)
  expect(stderr).toContain('--cursor c')
  bench.api.on('GET /webhooks', page([]))
  expect((await bench.run('webhooks', 'list')).stderr).toContain('There are no webhooks')
})

it('changes what is given, and nothing else', async () => {
  bench.api.on('PATCH /webhooks/wh_1', { body: { ...WEBHOOK, status: 'disabled' } })
  const { code, stdout } = await bench.run('webhooks', 'change', 'wh_1', '--status', 'disabled')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'wh_1: https://shop.example/hook, disabled, proposal.approved.\n',
  })
  expect(bench.api.received[0]?.body).toEqual({ status: 'disabled' })
  expect((await bench.run('webhooks', 'change', 'wh_1')).code).toBe(2)
  expect((await bench.run('webhooks', 'change', 'wh_1', '--status', 'off')).code).toBe(2)
})

it('rotates a secret and removes a webhook', async () => {
  const rotated = { ...WEBHOOK, secret: 'whsec_2', old_secret_expires_at: '2026-11-21T00:00:00Z' }
  bench.api.on('POST /webhooks/wh_1/rotate', { body: rotated })
  bench.api.on('DELETE /webhooks/wh_1', { status: 204 })
  expect((await bench.run('webhooks', 'rotate', 'wh_1')).stdout).toBe('whsec_2\n')
  expect((await bench.run('webhooks', 'remove', 'wh_1')).stdout).toBe('Removed wh_1.\n')
})

it('lists deliveries, and sends one again', async () => {
  const delivery = {
    ...{ id: 'evt_1', type: 'sync.failed', status: 'failed', attempts: 9, response_status: 500 },
    ...{ problem: 'status 500', last_attempt_at: null, next_attempt_at: null },
  }
  bench.api.on('GET /webhooks/wh_1/deliveries', page([delivery]))
  bench.api.on('POST /webhooks/wh_1/deliveries/evt_1/replay', { status: 202, body: delivery })
  const { stdout } = await bench.run('webhooks', 'deliveries', 'wh_1', '--status', 'failed')
  expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual([
    ...['evt_1', 'sync.failed', 'failed', '9', '500', '–', 'status 500'],
  ])
  expect(bench.api.received[0]?.query.toString()).toBe('status=failed')
  const replay = await bench.run('webhooks', 'replay', 'wh_1', 'evt_1')
  expect(replay.stdout).toBe('evt_1 is sent to wh_1 once more.\n')
})
