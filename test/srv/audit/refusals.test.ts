import cds from '@sap/cds'
import { countRefusal, refusalWorker, writeRefusals } from '../../../srv/domain/audit/refusals.ts'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { serverUrl } from '../../support/server.ts'

const { SELECT } = cds.ql
const HOUR_MS = 3_600_000

const call = (path: string, user?: string) =>
  fetch(`${serverUrl()}${path}`, {
    headers: user ? { Authorization: `Basic ${btoa(`${user}:${user}`)}` } : {},
  })
const entries = (action: string) =>
  SELECT.from(AuditLog)
    .columns('actor', 'object', 'detail')
    .where({ action })
    .orderBy('at', 'object')

beforeAll(async () => {
  await refusalWorker.stop()
  await writeRefusals({ isLast: true })
})

it('tells of refused sign-ins and calls once, with their number', async () => {
  for (let times = 0; times < 5; times++) await call('/v1/proposals')
  await call('/odata/v4/admin/Sources', 'nobody')
  for (let times = 0; times < 3; times++) await call('/odata/v4/admin/Sources', 'buyer')
  await writeRefusals()
  const [odata, v1] = await entries('signin.refused')
  expect(v1).toMatchObject({ actor: 'from 127.0.0.0/24', object: '/v1' })
  expect(JSON.parse(v1!.detail!)).toMatchObject({ status: 401, code: 'invalid_api_key', count: 5 })
  expect(odata).toMatchObject({ object: '/odata/v4/admin' })
  const refused = await entries('access.refused')
  expect(refused).toMatchObject([{ actor: 'buyer', object: '/odata/v4/admin' }])
  expect(JSON.parse(refused[0]!.detail!)).toMatchObject({ status: 403, count: 3 })
})

it('counts for an hour what goes on, and writes nothing where nothing is refused', async () => {
  await call('/odata/v4/admin/Sources', 'buyer')
  expect(await writeRefusals()).toBe(0)
  expect(await writeRefusals({ now: Date.now() + HOUR_MS })).toBe(1)
  expect(await writeRefusals({ now: Date.now() + 3 * HOUR_MS })).toBe(0)
  expect(await entries('access.refused')).toHaveLength(2)
})

it('is a bounded number of entries, whoever hammers', async () => {
  for (let at = 0; at < 100_000; at++) {
    countRefusal({ status: 401, code: '', door: '/v1', actor: `from ${at}` })
  }
  expect(await writeRefusals()).toBeLessThan(210)
  const others = (await entries('signin.refused')).filter(({ actor }) => actor === 'others')
  expect(others).toHaveLength(1)
  expect((JSON.parse(others[0]!.detail!) as { count: number }).count).toBeGreaterThan(99_000)
})

it('tells of sign-ins, and of rights that have changed', async () => {
  for (let times = 0; times < 3; times++) await call('/odata/v4/admin/Health', 'auditor')
  const signed = await entries('user.signed_in')
  expect(signed).toMatchObject([{ actor: 'auditor', object: 'user:auditor' }])
  expect(JSON.parse(signed[0]!.detail!)).toMatchObject({ roles: ['Viewer', 'Auditor'] })
})
