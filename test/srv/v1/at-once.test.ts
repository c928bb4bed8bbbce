// What happens while a transaction is open. PostgreSQL alone: on SQLite one is done after the other.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { ApiKeys, IdempotentAnswers } from '../../../srv/base/database/entities.ts'
import { listTrail } from '../../../srv/domain/audit/index.ts'
import { sealEntries } from '../../../srv/domain/audit/seal.ts'
import { startSync } from '../../../srv/domain/sync/index.ts'
import { runSql } from '../../support/rows.ts'
import { finished, writeFiles } from '../../support/server.ts'
import { until } from '../../support/service.ts'
import { aKey, del, errorOf, get, post } from './api.ts'
import { pending, readDemand } from './demand.ts'

const { SELECT, UPDATE } = cds.ql

/** Whether a transaction waits for the rows of another one. */
async function isWaiting() {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await runSql(sql)).length > 0
}

it('a source is not removed while a sync begins', async () => {
  await writeFiles('empty', { 'demand.csv': 'sku,location,date,quantity\n' })
  const { json } = await post('/sources', { type: 'csv', account: 'empty', role: 'planner' })
  const ID = Number(json.id.slice('src_'.length))
  let removal: ReturnType<typeof del>
  const sync = await cds.tx(async () => {
    const begun = await startSync({ source: ID, mode: 'full' })
    removal = del(`/sources/${json.id}`)
    await until(isWaiting)
    return begun.ID
  })
  const { error } = await removal!
  expect(error).toMatchObject({ code: 'sync_in_progress', sync_id: `sync_${sync}` })
  expect((await finished(sync)).status).toBe('succeeded')
  expect((await del(`/sources/${json.id}`)).status).toBe(204)
})

it('the work of a call that another has taken over is undone', async () => {
  const options = { headers: { 'Idempotency-Key': randomUUID() } }
  const scopes = ['forecasts:read']
  const name = `slow ${randomUUID()}`
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  let isFirst = true
  cds.db.before('INSERT', 'restock.ApiKeys', async () => {
    if (!isFirst) return
    isFirst = false
    await isOver
  })
  const first = post('/keys', { name, scopes }, options)
  while (isFirst) await sleep(10)
  const leaseUntil = new Date(Date.now() - 1000).toISOString()
  // As of another instance that took it over, and died.
  const owner = randomUUID()
  await UPDATE.entity(IdempotentAnswers).set({ leaseUntil, owner }).where({ answer: null })
  expect((await post('/keys', { name, scopes }, options)).status).toBe(201)
  resolve()
  expect(errorOf(await first).code).toBe('request_in_progress')
  expect(await SELECT.from(ApiKeys).where({ name })).toHaveLength(1)
})

it('the audit trail misses nothing that is sealed while it is listed', async () => {
  await readDemand('audited')
  const [approved] = await pending()
  const { json: sealed } = await get('/audit/verification')
  const after: number = sealed.entries
  await post(`/proposals/${approved!}/approve`)
  await aKey()
  let isSealed = false
  // The events of proposals have been read by then, the other acts have not.
  cds.db.before('SELECT', 'restock.AuditLog', async () => {
    if (isSealed || cds.context?.id === 'audit') return // the sealing looks here too
    isSealed = true
    await runDetached('audit', sealEntries)
  })
  const list = () => cds.tx(() => listTrail({ after: String(after), limit: 10 }))
  const { data } = await list()
  expect(isSealed).toBe(true)
  const { data: later } = await list()
  expect(later.map(({ seq }) => seq)).toEqual([after + 1, after + 2])
  expect(data).toEqual(later.slice(0, data.length))
})
