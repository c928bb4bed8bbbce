// The present service on a database of the last version: nothing is lost, and work goes on.
import cds from '@sap/cds'
import { verifyNow } from '../../../srv/domain/audit/index.ts'
import { Proposals, readAs, Series, Sources } from '../../../srv/base/database/entities.ts'
import type { Page } from '../../../client/types.ts'
import { answers } from './stored-version.ts'
import { recomputeProposals } from '../../../srv/domain/proposals/policy/rules.ts'
import { addDay, daysToPlan } from '../../../srv/domain/proposals/run/measured-values.ts'
import { upgradeRows } from '../../../srv/base/upgrade/index.ts'
import '../../support/server.ts'
import { until } from '../../support/service.ts'
import { read } from '../buyer/odata.ts'
import { call, del, get, post } from '../v1/api.ts'
import { entityNamed, runSql } from '../../support/rows.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

interface Row {
  id: string
  sku: string
  status: string
}
const proposals = answers['/proposals?limit=200'] as Row[]
const listed = (json: unknown) => (json as Page<object>).data
const idOf = (sku: string) => proposals.find((each) => each.sku === sku)!.id

/** Evidence without what is of the present forecast and not kept with the proposal. */
function kept(evidence: unknown) {
  const { cleaned_days, forecast_as_of, waterfall, ...rest } = evidence as Record<string, unknown>
  expect([cleaned_days, forecast_as_of, waterfall]).not.toContain(undefined)
  return rest
}

it.each(Object.keys(answers).filter((path) => path.startsWith('/proposals')))(
  'answers as before: %s',
  async (path) => {
    const { status, json } = await get(path)
    expect(status).toBe(200)
    // A newer version may answer more fields.
    if (path.endsWith('evidence')) expect(kept(json)).toEqual(answers[path])
    else expect(listed(json)).toMatchObject(answers[path]!)
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
  const before = answers[path] as object[]
  expect(listed(json)).toHaveLength(before.length)
  expect(listed(json)).toMatchObject(before)
})

it('keeps keys with their scopes', async () => {
  const { json } = await get('/keys')
  const isReader = ({ name }: { name: string }) => name === 'reader'
  expect(json.data.filter(isReader)).toMatchObject(
    (answers['/keys'] as { name: string }[]).filter(isReader),
  )
})

it('has keys that decide confirmed once by the person whom they act as', async () => {
  const { json } = await get('/keys?limit=200')
  const stored = new Set((answers['/keys'] as { id: string }[]).map(({ id }) => id))
  const states = json.data
    .filter(({ id, scopes }) => stored.has(id) && scopes.includes('proposals:decide'))
    .map(({ status }) => status)
  expect(new Set(states)).toEqual(new Set(['pending_confirmation']))
})

it('names no state of a key that there is no more', async () => {
  const codes = await SELECT.from(entityNamed('restock.ApiKeyStates')).columns('code')
  expect(codes).not.toContainEqual({ code: 'valid' })
})

it('keeps the audit trail, whole and unchanged', async () => {
  const before = answers['/audit'] as object[]
  const { json } = await get('/audit')
  expect(json.data.slice(0, before.length)).toEqual(before)
  expect(await verifyNow()).toMatchObject({
    valid: true,
    broken: null,
  })
})

it('has room for what rules and files say since', async () => {
  for (const table of ['restock.PriceBreaks', 'restock.SupplierTerms'])
    expect(await SELECT.from(entityNamed(table))).toEqual([])
  const rule = {
    ...{ level: 'sku', sku: 'SKU-1' },
    price_breaks: [{ from_quantity: 200, unit_cost: '1.95' }],
  }
  expect((await call('PUT', '/policies', { body: rule })).json).toMatchObject(rule)
  expect((await del('/policies?level=sku&sku=SKU-1')).status).toBe(204)
  const levels = await SELECT.from(entityNamed('restock.PolicyLevels')).columns('code')
  expect(levels).toContainEqual({ code: 'supplier+location' })
})

it('keeps what stands in no answer', async () => {
  const count = async (entity: string) => (await SELECT.from(entityNamed(entity))).length
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

const LISTS = [
  ['restock.ApiKeys', 'scopes'],
  ['restock.Users', 'roles'],
  ['restock.Webhooks', 'types'],
  ['restock.Policies', 'orderDays'],
  ['restock.Proposals', 'exceptions'],
  ['restock.Proposals', 'calculation_drivers'],
] as const

it.each(LISTS)('makes lists of what was joined by a comma: %s %s', async (entity, column) => {
  const rows = await SELECT.from(entityNamed(entity)).columns(column)
  expect(rows.length).toBeGreaterThan(0)
  const lists = rows.map((row) => row[column])
  expect(lists.filter((list) => list !== null && !Array.isArray(list))).toEqual([])
  if (column !== 'exceptions') expect(lists.some(Array.isArray)).toBe(true)
})

it('converts the rest after a kill, and nothing twice', async () => {
  const stored = () => SELECT.from(Proposals).columns('ID', 'exceptions').orderBy('ID')
  const before = await stored()
  const [one, two] = before as { ID: number; exceptions: string[] | null }[]
  const set = (ID: number, text: string) =>
    cds.run(`UPDATE restock_Proposals SET exceptions = '${text}' WHERE ID = ${ID}`)
  await set(one!.ID, 'order_raised,order_cut')
  await set(two!.ID, '')
  await upgradeRows()
  await upgradeRows()
  const after = await stored()
  expect(after.slice(0, 2)).toEqual([
    { ID: one!.ID, exceptions: ['order_raised', 'order_cut'] },
    { ID: two!.ID, exceptions: [] },
  ])
  expect(after.slice(2)).toEqual(before.slice(2))
  const asked = "Proposals?$select=ID,exceptions&$filter=contains(exceptions,'order_cut')"
  const { json } = await read(asked)
  expect(json.value).toMatchObject([{ ID: one!.ID, exceptions: 'order_raised,order_cut' }])
})

it('forgets work that is queued under a former name', async () => {
  const waiting = await readAs<{ msg: string }>(
    SELECT.from(entityNamed('cds.outbox.Messages')).columns('msg'),
  )
  expect(waiting.filter(({ msg }) => msg.includes('keepHouse'))).toEqual([])
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
  expect(await verifyNow()).toMatchObject({ valid: true })
})

it('has a precedence for each source, and sends PKCE where that was off by default', async () => {
  expect((await get('/sources')).json.data.map(({ precedence }) => precedence)).toContain(100)
  const ID = 9_001
  const optionsOf = async () => {
    const row = await SELECT.one.from(Sources).columns('options', 'precedence').where({ ID })
    return { precedence: row!.precedence, ...(JSON.parse(row!.options!) as object) }
  }
  const options = JSON.stringify({ auth: 'authorization_code', pkce: false })
  await INSERT.into(Sources).entries({ ID, type: 's4hana', account: 'a', options })
  await upgradeRows()
  const upgraded = { auth: 'authorization_code', pkce: true, precedence: 100 }
  expect(await optionsOf()).toEqual(upgraded)
  await UPDATE.entity(Sources).set({ options }).where({ ID })
  await upgradeRows()
  expect(await optionsOf()).toEqual({ ...upgraded, pkce: false })
})

it('sorts the pairs into ABC classes before the next run, and takes costs of a class', async () => {
  const classed = { abcClass: { '!=': null } }
  await until(async () => (await SELECT.from(Series).where(classed)).length > 0)
  expect(await SELECT.from(Proposals).where({ ...classed, status: 'pending' })).not.toEqual([])
  expect((await call('PUT', '/costs', { body: { abc_class: 'A', weeks: 10 } })).json).toMatchObject(
    {
      costs: { from: 'policy:class A', weeks: 10 },
    },
  )
  await recomputeProposals({})
  const series = await SELECT.from(Series).where(classed)
  expect(new Set(series.map(({ abcClass }) => abcClass))).toContain('A')
  expect((await del('/policies?level=class_a')).status).toBe(204)
})

it('has the keys by which the proposals of a month are found', async () => {
  const keys = await runSql<{ columns: string }>(
    cds.db.kind === 'postgres'
      ? `SELECT indexdef AS columns FROM pg_indexes WHERE tablename = 'restock_proposals'`
      : `SELECT group_concat(c.name, ', ') AS columns
         FROM pragma_index_list('restock_Proposals') AS k, pragma_index_info(k.name) AS c GROUP BY k.name`,
  )
  const columns = keys.map((key) => key.columns.toLowerCase()).join(';')
  for (const key of ['source_id, createdat, id', 'source_id, decidedat, status, id'])
    expect(columns).toContain(key)
})

it('tells of the months from the first decisions on, and measures the next day', async () => {
  const { status, json } = await get('/reports/months?from=2026-01')
  expect(status).toBe(200)
  expect(json.data.length).toBeGreaterThan(0)
  expect(json.data.every(({ lacks }) => lacks === 'not_measured')).toBe(true)
  const lines = json.data.map((row) => row.lines)
  expect(lines.reduce((sum, { proposed }) => sum + proposed, 0)).toBeGreaterThan(0)
  const day = '2026-03-01'
  const { source_ID } = (await SELECT.one.from(Proposals).columns('source_ID'))!
  await cds.tx(() => addDay(source_ID!, day, []))
  expect(await daysToPlan(source_ID!, day)).toBeNull()
})
