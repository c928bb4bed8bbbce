import cds from '@sap/cds'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { nextRun } from '../../../srv/base/time/cron.ts'
import { scheduleWorker } from '../../../srv/doors/schedules/start-due.ts'
import { writeFiles } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { call, errorOf, get, post } from '../v1/api.ts'

const { SELECT } = cds.ql

const patch = (id: string, schedules: unknown) =>
  call('PATCH', `/sources/${id}`, { body: { schedules } })

async function connected(account: string, more: object = {}) {
  await writeFiles(account, { 'demand.csv': 'sku,location,date,quantity\n' })
  return (await post('/sources', { type: 'csv', account, role: 'reader', ...more })).json
}

const auditOf = async (id: string): Promise<string[]> => {
  const rows = await SELECT.from(AuditLog)
    .where({ object: id, action: 'source.schedules_changed' })
    .orderBy('at')
  return rows.map(({ detail }) => detail!)
}

beforeAll(async () => {
  await scheduleWorker.stop()
  changeSettings({ schedules: { housekeeping: 'off' } })
})

describe('the schedules of a source', () => {
  it('are the configured ones, with their next run, unless it has its own', async () => {
    const { schedules } = await connected('default')
    expect(schedules).toEqual({
      full: { expression: '0 2 * * *', is_default: true, next_run_at: expect.any(String) },
      incremental: { expression: '0 * * * *', is_default: true, next_run_at: expect.any(String) },
    })
    expect(schedules.full.next_run_at).toMatch(/T02:00:00.000Z$/)
    expect(Date.parse(schedules.full.next_run_at!)).toBeGreaterThan(Date.now())
  })

  it('are set when it is connected', async () => {
    const { id, schedules } = await connected('own', { schedules: { full: '30 4 * * 7' } })
    expect(schedules.full).toMatchObject({ expression: '30 4 * * 7', is_default: false })
    expect(new Date(schedules.full.next_run_at!).getUTCDay()).toBe(0)
    expect(schedules.incremental.is_default).toBe(true)
    expect(await auditOf(id)).toEqual(['full: default → 30 4 * * 7'])
  })

  it('are changed one by one, with evidence', async () => {
    const { id } = await connected('changed')
    const first = await patch(id, { full: 'off', incremental: '*/15 6-20 * * 1-5' })
    expect(first.status).toBe(200)
    expect(first.json.schedules.full).toEqual({
      ...{ expression: 'off', is_default: false, next_run_at: null },
    })
    expect((await patch(id, { full: null })).json.schedules).toMatchObject({
      full: { expression: '0 2 * * *', is_default: true },
      incremental: { expression: '*/15 6-20 * * 1-5', is_default: false },
    })
    expect((await patch(id, {})).status).toBe(200)
    expect((await get(`/sources/${id}`)).json.schedules.full.is_default).toBe(true)
    expect(await auditOf(id)).toEqual([
      'full: default → off; incremental: default → */15 6-20 * * 1-5',
      'full: off → default',
    ])
  })

  it.each([
    ['full', '* * * * * *'],
    ['full', '*/10 * * * * *'],
    ['full', '@daily'],
    ['full', ''],
    ['full', '61 * * * *'],
    ['full', '0 0 30 2 *'],
    ['full', 'every day'],
    ['full', '0 2 * * *\n'],
    ['incremental', 5],
    ['incremental', false],
    ['incremental', `0 ${'1,'.repeat(60)}2 * * *`],
    ['daily', '0 2 * * *'],
  ])('refuse %s: %j', async (mode, expression) => {
    const { id } = await connected('refused')
    const expected = { status: 400, code: 'invalid_parameter', target: `schedules.${mode}` }
    expect(errorOf(await patch(id, { [mode]: expression }))).toEqual(expected)
    const account = { type: 'csv', account: 'refused', role: 'reader' }
    const body = { ...account, schedules: { [mode]: expression } }
    expect(errorOf(await post('/sources', body))).toEqual(expected)
  })

  it('say what is allowed', async () => {
    const { id } = await connected('told')
    const { error } = await patch(id, { full: '* * * * * *' })
    expect(error?.message).toMatch(/schedules\.full: must be a cron expression of five fields/)
  })

  it.each([
    ['src_99999', { schedules: {} }, 404, 'source_not_found', undefined],
    [null, {}, 400, 'invalid_parameter', 'schedules'],
    [null, { schedules: null }, 400, 'invalid_parameter', 'schedules'],
    [null, { schedules: {}, role: 'x' }, 400, 'invalid_parameter', 'role'],
  ])('are not changed by PATCH %s %j', async (given, body, status, code, target) => {
    const id = given ?? (await connected('strict')).id
    const answer = await call('PATCH', `/sources/${id}`, { body })
    expect(errorOf(answer)).toEqual({ status, code, ...(target && { target }) })
  })
})

describe('the next run', () => {
  it.each([
    ['0 2 * * *', '2026-11-21T02:00:00.000Z', '2026-11-21T02:00:00.000Z'],
    ['0 2 * * *', '2026-11-21T02:00:00.001Z', '2026-11-22T02:00:00.000Z'],
    ['*/20 6,18 * * *', '2026-11-21T06:41:00Z', '2026-11-21T18:00:00.000Z'],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['0 12 L * *', '2026-02-01T00:00:00Z', '2026-02-28T12:00:00.000Z'],
    ['0 12 * * mon#2', '2026-11-01T00:00:00Z', '2026-11-09T12:00:00.000Z'],
  ])('of %s from %s is %s', (expression, from, expected) => {
    expect(nextRun(expression, new Date(from))?.toISOString()).toBe(expected)
  })

  it.each(['off', ''])('of %j is never', (expression) => {
    expect(nextRun(expression, new Date())).toBe(null)
  })
})
