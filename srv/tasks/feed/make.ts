// From proposals to tasks, under the lock of the feed.
import cds from '@sap/cds'
import type { Making } from '../settings.ts'
import type { Draft, Task } from '../task.ts'
import { type Audience, audienceOf, keepAudiences, purchasingGroups } from './audience.ts'
import { draftOf, PROPOSAL_COLUMNS, type ProposalRow } from './draft.ts'
import { type Feed, TASKS, writeTasks } from './feed.ts'
import { makeOrders } from './orders.ts'

const { SELECT } = cds.ql

/** Whose audience a row is shown to. */
export type AudienceFor = (row: ProposalRow, value?: number | null) => string

/** Brings the tasks of these proposals up to date. @returns whether anything was different */
export async function makeTasks(ids: number[], made: Making, feed: Feed): Promise<boolean> {
  if (!ids.length) return false
  if (made.bySupplier) return makeOrders(ids, made, feed)
  const rows = await proposalsOf(ids)
  const claims = await claimsOf(rows.map(({ ID }) => `prop_${ID}`))
  const { audienceFor, keep } = await audiencesFor(rows, made)
  const drafts: Draft[] = rows.map((row) =>
    draftOf(row, audienceFor(row), claims.get(`prop_${row.ID}`) ?? null),
  )
  await keep()
  return writeTasks(drafts, feed)
}

export const proposalsOf = (ids: number[]): Promise<ProposalRow[]> =>
  SELECT.from('restock.Proposals')
    .columns(...PROPOSAL_COLUMNS)
    .where({ ID: { in: ids } }) as unknown as Promise<ProposalRow[]>

async function claimsOf(localIds: string[]): Promise<Map<string, string | null>> {
  const rows = await SELECT.from(TASKS)
    .columns('localId', 'processor')
    .where({ localId: { in: localIds }, processor: { '!=': null } })
  return new Map(rows.map(({ localId, processor }: Task) => [localId, processor]))
}

/** Finds each row's audience; `keep` stores those that were met. */
export async function audiencesFor(rows: ProposalRow[], made: Making) {
  const groups = await purchasingGroups(rows)
  const met = new Map<string, Audience>()
  const audienceFor: AudienceFor = (row, value = row.value == null ? null : Number(row.value)) => {
    const group = groups.get(`${row.source_ID} ${row.sku}`) ?? null
    const audience = audienceOf({ ...row, value }, group, made)
    met.set(audience.ID, audience)
    return audience.ID
  }
  return { audienceFor, keep: () => keepAudiences([...met.values()]) }
}
