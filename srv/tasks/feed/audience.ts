// Who is shown a task: by the value of the order, and by the purchasing group of the SKU.
import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { settings } from '../../config.ts'
import { allowsStep } from '../../store/proposal-flow.ts'
import { groupOf, type Making } from '../settings.ts'
import type { ProposalRow } from './draft.ts'

const { INSERT, SELECT } = cds.ql

const AUDIENCES = 'restock.TaskAudiences'

export interface Audience {
  ID: string
  groups: string[]
  /** Our user ids. */
  users: string[]
}

/** Whose audience a row is shown to. */
export type AudienceFor = (row: ProposalRow, value?: number | null) => string

/** As many users and groups a task may name. */
const MOST = 100

type Asked = Pick<ProposalRow, 'location' | 'status'> & { value: number | null }

/** Who may decide about an order of this value, at this place. */
export function audienceOf(asked: Asked, purchasingGroup: string | null, made: Making): Audience {
  const { value, status, location } = asked
  const isFirst =
    allowsStep(status, 'requestSecondApproval') &&
    made.secondApproverAbove !== null &&
    (value === null || value > made.secondApproverAbove)
  const covers = (limit: number | null) =>
    isFirst || limit === null || (value !== null && value <= limit)
  const able = made.roles.filter(({ limit }) => covers(limit))
  // Where nobody's limit reaches, it is shown to all rather than to none.
  const roles = able.length ? able : made.roles
  const groups = [...new Set(roles.map(({ role }) => groupOf(role, purchasingGroup)))]
  const users = made.users
    .filter(({ limit, locations }) => covers(limit) && (locations?.includes(location) ?? true))
    .map(({ user }) => user)
    .slice(0, MOST)
  const rest = { groups: groups.sort(), users: users.sort() }
  return { ID: hash('sha256', JSON.stringify(rest)), ...rest }
}

/** The purchasing group by source and SKU; nothing where none is configured. */
export async function purchasingGroups(rows: ProposalRow[]): Promise<Map<string, string>> {
  if (!Object.keys(settings().tasks.purchasingGroups ?? {}).length || !rows.length) return new Map()
  const found = await SELECT.from('restock.Skus')
    .columns('source_ID', 'sku', 'skuGroup')
    .where({ sku: { in: [...new Set(rows.map(({ sku }) => sku))] } })
  return new Map(
    found
      .filter(({ skuGroup }: { skuGroup: string | null }) => skuGroup)
      .map((row: { source_ID: number; sku: string; skuGroup: string }) => [
        `${row.source_ID} ${row.sku}`,
        row.skuGroup,
      ]),
  )
}

/** Stores those that are new; under the lock of the feed. */
export async function keepAudiences(audiences: Audience[]) {
  const wanted = new Map(audiences.map((audience) => [audience.ID, audience]))
  for (const { ID } of await SELECT.from(AUDIENCES).columns('ID')) wanted.delete(ID)
  if (!wanted.size) return
  await INSERT.into(AUDIENCES).entries(
    [...wanted.values()].map(({ ID, groups, users }) => ({
      ...{ ID, groups: JSON.stringify(groups), users: JSON.stringify(users) },
    })),
  )
}

/** All of them: there are few. */
export async function audiences(): Promise<Map<string, Audience>> {
  const rows = await SELECT.from(AUDIENCES)
  return new Map(
    rows.map(({ ID, groups, users }: { ID: string; groups: string; users: string }) => [
      ID,
      { ID, groups: JSON.parse(groups), users: JSON.parse(users) },
    ]),
  )
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
