// Answers that take somebody else: an ERP that asks for a consent or is away, a receiver of webhooks, a run that moves numbers.
import cds from '@sap/cds'
import { Forecasts, Proposals, Series, Stock } from '../../../srv/base/database/entities.ts'
import type { AuthPlan } from '../../../adapters/adapter.ts'
import { Retriable } from '../../../adapters/errors.ts'
import { publishEvents } from '../../../srv/base/database/events.ts'
import { codePlan, erp, newSource, streams, useConsent } from '../sources/consent-adapter.ts'
import { Receiver, until } from '../webhooks/receiver.ts'
import { type Answer, del, get, post } from './api.ts'

const { DELETE, SELECT, UPDATE } = cds.ql

export type Note = (method: string, path: string, answer: Answer) => void

/** The pair of a proposal loses its forecast, then its stock, then itself. */
export async function movedInputs(id: string, note: Note) {
  const { series } = (await SELECT.one
    .from(Proposals)
    .columns('series')
    .where({ ID: Number(id.slice('prop_'.length)) }))!
  const risk = async () => {
    const answer = await get(`/proposals/${id}/risk`)
    note('GET', '/proposals/{id}/risk', answer)
    return answer.error?.code
  }
  const [forecast] = await SELECT.from(Forecasts).where({ series })
  await DELETE.from(Forecasts).where({ series })
  expect(await risk()).toBe('forecast_not_ready')
  await cds.ql.INSERT.into(Forecasts).entries(forecast!)
  const { sku, location } = (await SELECT.one.from(Series).where({ ID: series }))!
  await UPDATE.entity(Stock).set({ sku: 'elsewhere' }).where({ sku, location })
  expect(await risk()).toBe('proposal_stale')
  await DELETE.from(Series).where({ ID: series })
  expect(await risk()).toBe('proposal_stale')
}

export async function replays(note: Note) {
  const allowed = process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE
  process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
  const receiver = await new Receiver().start()
  const { id } = (await post('/webhooks', { url: receiver.url })).json
  await cds.tx(() => publishEvents([{ type: 'sync.completed', data: { id: 'sync_1' } }]))
  const { id: delivery } = (await receiver.hears(1))[0]!
  const path = `/webhooks/${id}/deliveries/${delivery}/replay`
  await until(async () => {
    const { data } = (await get(`/webhooks/${id}/deliveries`)).json
    return data.every(({ status }: { status: string }) => status === 'succeeded')
  })
  for (const answer of [
    await post(path, { x: 1 }),
    await post(path, undefined, { raw: 'x', headers: { 'Content-Type': 'text/plain' } }),
    await post(path),
  ]) {
    note('POST', '/webhooks/{id}/deliveries/{delivery}/replay', answer)
  }
  await receiver.hears(2)
  await del(`/webhooks/${id}`)
  await receiver.stop()
  process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = allowed ?? ''
}

/** From then on the csv adapter is that of another ERP. */
export async function anErp(note: Note) {
  let plan: (url: string) => AuthPlan = codePlan()
  await useConsent((url) => plan(url))
  try {
    const pending = (await post('/sources', newSource('contract'))).json.id
    note('POST', '/sources/{id}/check', await post(`/sources/${pending}/check`))
    note('POST', '/sources/{id}/consent', await post(`/sources/${pending}/consent`))
    plan = () => ({ kind: 'basic' })
    const { id } = (await post('/sources', newSource('contract-user'))).json
    streams.checks = new Retriable('down', 12_000)
    note('POST', '/sources', await post('/sources', newSource('contract-away')))
    note('POST', '/sources/{id}/check', await post(`/sources/${id}/check`))
    const consent = await post(`/sources/${id}/consent`, { client_secret: 'other' })
    note('POST', '/sources/{id}/consent', consent)
  } finally {
    await erp.close()
  }
}
