import cds from '@sap/cds'
import { afterCommit, inTransaction, runDetached } from '../../../base/cap/context.ts'
import { writeAuditLog } from '../../../base/database/audit.ts'
import { type AnyEntity, readAs } from '../../../base/database/entities.ts'
import { markAllForProposal } from '../../../base/database/proposal-marks.ts'
import { toPage, givenIn, type PageQuery } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { MONEY, refusedField } from '../../../base/input.ts'
import { toSnake } from '../../../base/texts/case.ts'
import type { MessageArgs } from '../../../base/texts/texts.ts'
import {
  assertMaySetPolicy,
  findPerson,
  isApprover,
  visiblePolicies,
} from '../../authority/index.ts'
import { afterPosition } from '../list.ts'
import { runProposals } from '../run/run.ts'
import type { Scope } from '../terms/pair-inputs.ts'
import {
  CLASS_VALUES,
  classOf,
  fromRow,
  keyOf,
  LEAST_STEP,
  MOST_PRICE_BREAKS,
  MOST_UNITS,
  nameOf,
  type Policy,
  POLICY_AMOUNTS,
  POLICY_KEY_NAMES,
  POLICY_KEYS,
  POLICY_LEVELS,
  POLICY_NUMBERS,
  POLICY_PEOPLE,
  type PolicyKey,
  type PolicyKeyName,
  type PolicyLevel,
  type PolicyRow,
  type PolicyRule,
  type PriceBreakOfRule,
  type StoredPolicy,
  SUPPLIER_VALUES,
  toPolicy,
  toRow,
  UNMET_DEMANDS,
  valuesOf,
  WEEKDAYS,
} from './values.ts'

const SUPPLIER_LEVELS: PolicyLevel[] = ['supplier', 'supplier+location']
const SKU_LEVELS: PolicyLevel[] = ['sku', 'sku+location']

/**
 * Checks that a rule has the keys that its level needs, and only values that are allowed there.
 * @throws Refusal invalid_parameter, the field in `target`
 */
function checkRule(rule: PolicyRule) {
  checkKey(rule)
  for (const [name, { least, most, ...range }] of Object.entries(POLICY_NUMBERS)) {
    const value = rule[name as keyof typeof POLICY_NUMBERS]
    if (value == null) continue
    const whole = 'whole' in range
    const isAllowed = value >= least && value <= most && (!whole || Number.isInteger(value))
    if (!isAllowed) {
      throw refused(name, whole ? 'whole_number' : 'number', { least, most })
    }
  }
  for (const name of POLICY_AMOUNTS) {
    if (rule[name] != null && !MONEY.test(rule[name])) {
      throw refused(name, 'amount')
    }
  }
  const { freeFreightFrom, freightCost, orderDays, priceBreaks, unmetDemand } = rule
  if (unmetDemand != null && !UNMET_DEMANDS.includes(unmetDemand)) {
    throw refused('unmetDemand', 'one_of', { names: UNMET_DEMANDS.join(', ') })
  }
  if ((freeFreightFrom == null) !== (freightCost == null)) {
    const missing = freightCost == null ? 'freightCost' : 'freeFreightFrom'
    throw refused(missing, 'freight')
  }
  if (orderDays?.some((day) => !(WEEKDAYS as readonly number[]).includes(day))) {
    throw refused('orderDays', 'weekdays')
  }
  if (priceBreaks) checkPriceBreaks(priceBreaks)
  checkValues(rule)
}

function checkPriceBreaks(breaks: PriceBreakOfRule[]) {
  if (breaks.length > MOST_PRICE_BREAKS) {
    throw refused('priceBreaks', 'prices', { most: MOST_PRICE_BREAKS })
  }
  const quantities = breaks.map(({ fromQuantity }) => fromQuantity)
  if (!quantities.every((each) => each >= LEAST_STEP && each <= MOST_UNITS)) {
    throw refused('priceBreaks', 'quantities', { least: LEAST_STEP, most: MOST_UNITS })
  }
  if (!quantities.every((each) => Number(each.toFixed(6)) === each)) {
    throw refused('priceBreaks', 'decimals')
  }
  if (new Set(quantities).size < breaks.length) {
    throw refused('priceBreaks', 'twice')
  }
  if (!breaks.every(({ unitCost }) => MONEY.test(unitCost))) {
    throw refused('priceBreaks', 'price')
  }
}

/** @throws Refusal invalid_parameter */
function checkKey(rule: PolicyRule) {
  if (!POLICY_LEVELS.includes(rule.level)) {
    throw refused('level', 'one_of', { names: POLICY_LEVELS.join(', ') })
  }
  const named: readonly string[] = POLICY_KEYS[rule.level]
  for (const name of POLICY_KEY_NAMES) {
    const given = rule[name] != null && rule[name] !== ''
    if (named.includes(name) && !given) {
      throw refused(name, 'named', { level: rule.level })
    }
    if (!named.includes(name) && given) {
      throw refused(name, 'not_named', { level: rule.level })
    }
  }
}

const isOfClass = (name: string) => (CLASS_VALUES as readonly string[]).includes(name)

function checkValues(rule: PolicyRule) {
  for (const name of SUPPLIER_VALUES) {
    if (rule[name] != null && !SUPPLIER_LEVELS.includes(rule.level)) {
      throw refused(name, 'levels', { names: SUPPLIER_LEVELS.join(', ') })
    }
  }
  if (classOf(rule.level)) {
    const other = Object.keys(valuesOf(toPolicy(rule))).find((name) => !isOfClass(name))
    if (other) throw refused(other, 'class_values', { names: CLASS_VALUES.map(toSnake).join(', ') })
  }
  if (rule.ordersByLocation != null && rule.level !== 'supplier') {
    throw refused('ordersByLocation', 'levels', { names: 'supplier' })
  }
  if (rule.priceBreaks?.length && !SKU_LEVELS.includes(rule.level)) {
    throw refused('priceBreaks', 'levels', { names: SKU_LEVELS.join(', ') })
  }
  const costs = rule.stockoutCostShare ?? rule.carryingCostSharePerYear
  if (rule.targetQuantile != null && costs != null) {
    throw refused('targetQuantile', 'target_or_costs')
  }
  const { moq, maximumOrder } = rule
  if (moq != null && maximumOrder != null && maximumOrder < moq) {
    throw refused('maximumOrder', 'below_moq', { moq })
  }
  if (!Object.keys(valuesOf(toPolicy(rule))).length) {
    throw refused('level', 'empty')
  }
}

/** @param fault `invalid_<fault>` of _i18n/messages.json */
function refused(name: string, fault: string, args: MessageArgs = {}) {
  return refusedField(name === 'skuGroup' ? 'group' : toSnake(name), `invalid_${fault}`, args)
}

/** The tables in which each name of a rule is looked up. */
const KNOWN_FROM: Record<PolicyKeyName, string[]> = {
  sku: ['restock.Skus', 'restock.Planning', 'restock.Series'],
  location: ['restock.Locations', 'restock.Planning', 'restock.Series'],
  supplier: ['restock.Suppliers', 'restock.Planning', 'restock.Skus'],
  skuGroup: ['restock.Skus'],
}

/** The names of a rule that no source has. They may come later, or be misspelt. */
async function unknownNames(rule: PolicyKey): Promise<PolicyKeyName[]> {
  const unknown: PolicyKeyName[] = []
  for (const name of Object.keys(KNOWN_FROM) as PolicyKeyName[]) {
    if (rule[name] && !(await isKnown(name, rule[name]))) unknown.push(name)
  }
  return unknown
}

async function isKnown(name: PolicyKeyName, code: string): Promise<boolean> {
  for (const entity of KNOWN_FROM[name] as AnyEntity[]) {
    const found = SELECT.from(entity)
      .columns(name)
      .where({ [name]: code })
    if ((await readAs(found.limit(1))).length) return true
  }
  return false
}

const POLICIES = 'restock.Policies'
const KEYS = ['level', 'skuGroup', 'supplier', 'sku', 'location'] as const

interface PolicyQuery extends PageQuery {
  filter?: Partial<Record<keyof PolicyKey, string | null>>
}

/** The rules that the user sees, by level and then by name. */
export async function listPolicies({ filter = {}, after, limit }: PolicyQuery) {
  const visible = visiblePolicies(cds.context!.user)
  const query = SELECT.from(POLICIES)
    .orderBy(...KEYS)
    .limit(limit + 1)
  const given = givenIn(filter)
  if (Object.keys(given).length) query.where(given)
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
 * Sets a rule, replacing what it said before, and recomputes in the background what it concerns. The change is audited with
 * before and after.
 * @throws Refusal invalid_parameter, insufficient_scope
 * @returns the rule, with those of its names that no source has
 */
export const setPolicy = (rule: PolicyRule) => inTransaction(() => storePolicy(rule))

const concernedBy = (policy: Policy) => ({ ...policy, abcClass: classOf(policy.level) })

async function storePolicy(rule: PolicyRule) {
  await assertMaySetPolicy(cds.context!.user, rule)
  checkRule(rule)
  const policy = toPolicy(rule)
  const before = await findPolicy(policy)
  await checkPeople(policy, before)
  const changed = !before || textOf(before) !== textOf(policy)
  const isCalculated = numbersIn(before) !== numbersIn(policy)
  if (changed) {
    const stamp = {
      updatedAt: new Date().toISOString(),
      updatedBy: cds.context?.user?.id ?? 'system',
    }
    if (isCalculated) await markAllForProposal()
    await UPSERT.into(POLICIES).entries({ ...toRow(policy), ...stamp })
    const was = before ? textOf(before) : 'nothing'
    await writeAuditLog('policy.set', nameOf(policy), `${was} → ${textOf(policy)}`)
  }
  const unknown = await unknownNames(policy)
  if (isCalculated) afterCommit(() => recomputeProposals(concernedBy(policy)))
  return { ...(await findPolicy(policy))!, unknown }
}

/** Removes a rule. @throws Refusal not_found, insufficient_scope */
export const removePolicy = (rule: PolicyRule) => inTransaction(() => dropPolicy(rule))

async function dropPolicy(rule: PolicyRule) {
  await assertMaySetPolicy(cds.context!.user, rule)
  checkKey(rule)
  const key = keyOf(rule)
  const before = await findPolicy(key)
  if (!before) throw new Refusal('not_found', `There is no rule for ${nameOf(key)}.`)
  const isCalculated = numbersIn(before) !== numbersIn()
  if (isCalculated) await markAllForProposal()
  await DELETE.from(POLICIES).where({ ...key })
  await writeAuditLog('policy.removed', nameOf(key), `${textOf(before)} → nothing`)
  if (isCalculated) afterCommit(() => recomputeProposals(concernedBy(before)))
}

/** Whoever is named anew must be able to decide. @throws Refusal invalid_parameter */
async function checkPeople(rule: Policy, before: Policy | undefined) {
  for (const name of POLICY_PEOPLE) {
    const user = rule[name]
    if (user === null || user === before?.[name]) continue
    if (!isApprover(await findPerson(user))) throw refused(name, 'person')
  }
}

async function findPolicy(rule: PolicyRule | Policy): Promise<StoredPolicy | undefined> {
  const row = (await SELECT.one.from(POLICIES).where({ ...keyOf(rule) })) as PolicyRow | undefined
  return row && fromRow(row)
}

const textOf = (policy: Policy) => JSON.stringify(valuesOf(toRow(policy)))

/** What calculations depend on: people are no part of that. */
function numbersIn(policy?: Policy): string {
  const values = policy ? valuesOf(toRow(policy)) : {}
  for (const name of POLICY_PEOPLE) delete values[name]
  return JSON.stringify(values)
}

// What a changed rule concerns is proposed anew.

/** What a changed rule selects; an empty name selects everything. */
type Concerned = Partial<Record<Exclude<keyof PolicyKey, 'level'> | 'abcClass', string | null>>

const LOG = cds.log('proposals')

/** Sources that wait to be recomputed, with the scope; null for all their pairs. */
const waiting = new Map<number, Scope | null>()
let running: Promise<void> | undefined

/** Recomputes affected proposals in the background. If a restart interrupts this, the next run does it. */
export function recomputeProposals(concerned: Concerned): Promise<void> {
  const scope = scopeOf(concerned)
  const name = Object.values(scope ?? { of: 'all' }).join(' ')
  return runDetached(`change ${name}`, async () => {
    for (const source of await sourcesOf(scope)) {
      waiting.set(source, waiting.has(source) ? null : scope)
    }
    running ??= recomputeWaiting().finally(() => (running = undefined))
    await running
  }).catch((error) => LOG.error(`proposals after a change of ${name}:`, error))
}

async function recomputeWaiting() {
  for (const [source, scope] of waiting) {
    waiting.delete(source)
    await runProposals({ source, sync: null, scope })
  }
}

function scopeOf({ sku, location, supplier, skuGroup, abcClass }: Concerned): Scope | null {
  const named = Object.entries({ sku, location, supplier, skuGroup, abcClass }).filter(
    ([, value]) => value,
  )
  return named.length ? Object.fromEntries(named) : null
}

async function sourcesOf(scope: Scope | null): Promise<number[]> {
  const query = scope
    ? SELECT.distinct
        .from('restock.PairPlanning')
        .columns('source_ID as source')
        .where({ ...scope })
    : SELECT.from('restock.Sources').columns('ID as source')
  const rows = (await query) as { source: number }[]
  return rows.map(({ source }) => source)
}
