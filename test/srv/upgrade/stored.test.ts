// The present service on a database of the last version: nothing is lost, and work goes on.
import cds from '@sap/cds'
import { answers } from './stored.ts'
import '../../support/server.ts'
import { del, get, post } from '../v1/api.ts'

const { SELECT } = cds.ql

interface Row {
  id: string
  sku: string
  status: string
}
const proposals = answers['/proposals?limit=200'] as Row[]
const idOf = (sku: string) => proposals.find((each) => each.sku === sku)!.id

it.each(Object.keys(answers).filter((path) => path.startsWith('/proposals')))(
  'answers as before: %s',
  async (path) => {
    const { status, json } = await get(path)
    expect(status).toBe(200)
    expect(path.endsWith('evidence') ? json : json.data).toEqual(answers[path])
  },
)

it('has proposals of each status', () => {
  const statuses = new Set(proposals.map(({ status }) => status))
  expect([...statuses].sort()).toEqual([
    ...['approved', 'awaiting_second_approval', 'cancelled', 'expired', 'ordered'],
    ...['pending', 'rejected', 'snoozed', 'superseded'],
  ])
})

it.each(['/policies', '/webhooks'])('keeps %s', async (path) => {
  const { json } = await get(path)
  expect(json.data).toEqual(answers[path])
})

it('keeps keys with their scopes', async () => {
  const { json } = await get('/keys')
  const isReader = ({ name }: { name: string }) => name === 'reader'
  expect(json.data.filter(isReader)).toEqual(
    (answers['/keys'] as { name: string }[]).filter(isReader),
  )
})

it('keeps the audit trail, whole and unchanged', async () => {
  const before = answers['/audit'] as object[]
  const { json } = await get('/audit')
  expect(json.data.slice(0, before.length)).toEqual(before)
  const audit = await cds.connect.to('AuditService')
  expect(await audit.send('verify', { expected: null })).toMatchObject({
    valid: true,
    broken: null,
  })
})

it('keeps what stands in no answer', async () => {
  const count = async (entity: string) => (await SELECT.from(entity)).length
  expect({
    tasks: await count('restock.Tasks'),
    lines: await count('restock.TaskLines'),
    comments: await count('restock.TaskComments'),
    deliveries: await count('restock.WebhookDeliveries'),
    secrets: await count('restock.WebhookSecrets'),
    quarantined: await count('restock.QuarantinedRows'),
    blocked: await count('restock.BlockedPairs'),
    limits: await count('restock.UserLimits'),
    delegations: await count('restock.Delegations'),
    forecasts: await count('restock.Forecasts'),
    demand: await count('restock.DemandRows'),
  }).toMatchObject({
    ...{ lines: 7, comments: 1, secrets: 2, quarantined: 1, blocked: 1 },
    ...{ limits: 1, delegations: 1, forecasts: 14, demand: 840 },
  })
})

it('decides about what was open and what was approved', async () => {
  expect((await del(`/proposals/${idOf('SKU-9')}?reason=too_much`)).status).toBe(204)
  expect((await del(`/proposals/${idOf('SKU-12')}`)).status).toBe(204)
  const until = '2998-01-01T00:00:00Z'
  const snoozed = await post(`/proposals/${idOf('SKU-10')}/snooze`, { until })
  expect(snoozed.json).toMatchObject({ status: 'snoozed', version: 2 })
  const cancelled = await post(`/proposals/${idOf('SKU-2')}/cancel`, { reason: 'other' })
  expect(cancelled.json).toMatchObject({ status: 'cancelled' })
  const { json } = await get(`/proposals/${idOf('SKU-2')}/history`)
  expect(json.data.map(({ event }: { event: string }) => event)).toEqual([
    ...['created', 'approved', 'cancelled'],
  ])
  const audit = await cds.connect.to('AuditService')
  expect(await audit.send('verify', { expected: null })).toMatchObject({ valid: true })
})
