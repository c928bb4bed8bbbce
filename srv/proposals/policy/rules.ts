import cds from '@sap/cds'
import type { Predicate } from '../../authority/index.ts'
import { Refusal } from '../../errors.ts'
import type { PolicyLevel, PolicyRule } from '../../policy-values.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { markAllForProposal } from '../../store/proposal-marks.ts'
import { afterPosition } from '../list.ts'
import { checkKey, checkRule } from './check.ts'
import { keyOf, nameOf } from './levels.ts'
import {
  fromRow,
  type Policy,
  type PolicyRow,
  valuesOf,
  type StoredPolicy,
  toPolicy,
  toRow,
} from './rows.ts'
import { unknownNames } from './unknown-names.ts'
import { toPage } from '../../store/page.ts'

const POLICIES = 'restock.Policies'
const KEYS = ['level', 'skuGroup', 'supplier', 'sku', 'location'] as const

export interface PolicyQuery {
  filter?: { level?: PolicyLevel } & Record<string, string | null | undefined>
  after?: string | null
  limit: number
}

/**
 * Rules in the order of level and what they name.
 * @param visible those that the user sees; null for all
 */
export async function listPolicies(
  { filter = {}, after, limit }: PolicyQuery,
  visible: Predicate | null,
) {
  const query = SELECT.from(POLICIES)
    .orderBy(...KEYS)
    .limit(limit + 1)
  const given = Object.entries(filter).filter(([, value]) => value != null)
  if (given.length) query.where(Object.fromEntries(given))
  if (visible) query.where(visible)
  if (after) {
    const keys = KEYS.map((column) => ({ column }))
    query.where(cds.parse.expr(afterPosition(keys, JSON.parse(after) as unknown[])))
  }
  const rows = ((await query) as PolicyRow[]).map(fromRow)
  return toPage(rows, limit, (policy) => JSON.stringify(positionOf(policy)))
}

const positionOf = (policy: Policy) => KEYS.map((name) => policy[name])

/**
 * Sets a rule, in place of what it said before. Who set what is audited with before and after.
 * @throws Refusal invalid_parameter
 * @returns the rule with which of its names no source has, and whether it says something new
 */
export async function setPolicy(rule: PolicyRule) {
  checkRule(rule)
  const policy = toPolicy(rule)
  const before = await findPolicy(policy)
  const changed = !before || textOf(before) !== textOf(policy)
  if (changed) {
    const stamp = {
      updatedAt: new Date().toISOString(),
      updatedBy: cds.context?.user?.id ?? 'system',
    }
    await markAllForProposal()
    await UPSERT.into(POLICIES).entries({ ...toRow(policy), ...stamp })
    const was = before ? textOf(before) : 'nothing'
    await writeAuditLog('policy.set', nameOf(policy), `${was} → ${textOf(policy)}`)
  }
  const unknown = await unknownNames(policy)
  return { policy: { ...(await findPolicy(policy))!, unknown }, changed }
}

/** @throws Refusal not_found */
export async function removePolicy(rule: PolicyRule): Promise<Policy> {
  checkKey(rule)
  const key = keyOf(rule)
  const before = await findPolicy(key)
  if (!before) throw new Refusal('not_found', `There is no rule for ${nameOf(key)}.`)
  await markAllForProposal()
  await DELETE.from(POLICIES).where({ ...key })
  await writeAuditLog('policy.removed', nameOf(key), `${textOf(before)} → nothing`)
  return before
}

async function findPolicy(rule: PolicyRule | Policy): Promise<StoredPolicy | undefined> {
  const row = (await SELECT.one.from(POLICIES).where({ ...keyOf(rule) })) as PolicyRow | undefined
  return row && fromRow(row)
}

const textOf = (policy: Policy) => JSON.stringify(valuesOf(toRow(policy)))
