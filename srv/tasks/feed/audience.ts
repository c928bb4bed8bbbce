// The audience of a task follows from the value of its order and the purchasing group of its SKU.
import { hash } from 'node:crypto'
import { type Limit, mayReach, type Worth } from '../../authority/index.ts'
import { settings } from '../../config.ts'
import { allowsStep } from '../../store/proposal-flow.ts'
import { readAs, Skus, TaskAudiences } from '../../store/entities.ts'
import { groupOf, type TaskBasis } from '../settings.ts'
import type { ProposalRow } from './draft.ts'
import { MOST_RECIPIENTS, type Recipients, recipientsOf } from './recipients.ts'

export interface Audience extends Recipients {
  ID: string
  /** The recipients that Task Center is given instead; null for the same. */
  recipients: Recipients | null
}

/** The audience of a row; of an order by what it is worth, and all its rows. */
export type AudienceFor = (row: ProposalRow, worth?: Worth, rows?: ProposalRow[]) => string

type AudienceQuestion = Pick<ProposalRow, 'location' | 'status'> & { worth: Worth }

/** Who may decide about an order of this value, at this place. */
function audienceOf(
  asked: AudienceQuestion,
  purchasingGroup: string | null,
  basis: TaskBasis,
): Recipients {
  const { status, location, worth } = asked
  const reaches = (limit: Limit | null) => mayReach(limit, worth, basis.rates)
  const isFirst = allowsStep(status, 'requestSecondApproval') && !reaches(basis.secondApproverAbove)
  const covers = (limit: Limit | null) => isFirst || reaches(limit)
  const rolesAbove = basis.roles.filter(({ limit }) => covers(limit))
  // If the value is over every limit, the task is shown to all who may approve.
  const roles = rolesAbove.length ? rolesAbove : basis.roles
  const groups = [...new Set(roles.map(({ role }) => groupOf(role, purchasingGroup)))]
  const users = basis.users
    .filter(({ limit, locations }) => covers(limit) && (locations?.includes(location) ?? true))
    .map(({ user }) => user)
    .slice(0, MOST_RECIPIENTS)
  return { groups: groups.sort(), users: users.sort() }
}

/** The group by source and SKU; empty where no audience depends on it. */
async function skuGroups(rows: ProposalRow[], { approvers, deputies }: TaskBasis) {
  const people = [...approvers, ...deputies.map(({ absent }) => absent)]
  const matters =
    Object.keys(settings().tasks.purchasingGroups ?? {}).length ||
    people.some((each) => each.rows?.groups)
  if (!matters || !rows.length) return new Map<string, string>()
  const found = await readAs<SkuRow>(
    SELECT.from(Skus)
      .columns('source_ID', 'sku', 'skuGroup')
      .where({ sku: { in: [...new Set(rows.map(({ sku }) => sku))] } }),
  )
  return new Map(
    found.flatMap(({ source_ID, sku, skuGroup }) =>
      skuGroup ? [[`${source_ID} ${sku}`, skuGroup]] : [],
    ),
  )
}

interface SkuRow {
  source_ID: number
  sku: string
  skuGroup: string | null
}

/** Stores those that are new; under the lock of the feed. */
async function storeAudiences(audiences: Audience[]) {
  const wanted = new Map(audiences.map((audience) => [audience.ID, audience]))
  const known = await readAs<{ ID: string }>(SELECT.from(TaskAudiences).columns('ID'))
  for (const { ID } of known) wanted.delete(ID)
  if (!wanted.size) return
  await INSERT.into(TaskAudiences).entries(
    [...wanted.values()].map(({ ID, groups, users, recipients }) => ({
      ...{ ID, groups: JSON.stringify(groups), users: JSON.stringify(users) },
      recipients: recipients && JSON.stringify(recipients),
    })),
  )
}

/** Reads all audiences; there are few. */
export async function audiences(): Promise<Map<string, Audience>> {
  const rows = await readAs<AudienceRow>(SELECT.from(TaskAudiences))
  return new Map(
    rows.map(({ ID, groups, users, recipients }) => [
      ID,
      {
        ...{ ID, groups: JSON.parse(groups) as string[], users: JSON.parse(users) as string[] },
        recipients: recipients ? (JSON.parse(recipients) as Recipients) : null,
      },
    ]),
  )
}

/** Lists are JSON. */
interface AudienceRow {
  ID: string
  groups: string
  users: string
  recipients: string | null
}

function worthOf({ value, currency }: ProposalRow): Worth {
  const decimal = value == null ? null : String(value)
  return { line: decimal, day: decimal, currency: currency ?? null }
}

/** Finds each row's audience; `keep` stores the audiences found. */
export async function audiencesFor(rows: ProposalRow[], basis: TaskBasis) {
  const groups = await skuGroups(rows, basis)
  const groupOfRow = ({ source_ID, sku }: ProposalRow) => groups.get(`${source_ID} ${sku}`) ?? null
  const met = new Map<string, Audience>()
  const audienceFor: AudienceFor = (row, worth = worthOf(row), all = [row]) => {
    const entitled = audienceOf({ ...row, worth }, groupOfRow(row), basis)
    const places = all.map((each) => ({ location: each.location, skuGroup: groupOfRow(each) }))
    const recipients = recipientsOf(entitled, places, basis)
    const ID = hash('sha256', JSON.stringify({ ...entitled, ...(recipients && { recipients }) }))
    met.set(ID, { ID, ...entitled, recipients })
    return ID
  }
  return { audienceFor, keep: () => storeAudiences([...met.values()]) }
}
