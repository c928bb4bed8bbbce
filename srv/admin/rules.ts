import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import {
  POLICY_KEY_NAMES,
  POLICY_KEYS,
  POLICY_LEVELS,
  POLICY_NUMBERS,
  type PolicyLevel,
  type PolicyRule,
} from '../policy-values.ts'
import { Refusal } from '../errors.ts'
import type { AnyEntity } from '../store/entities.ts'
import { checked, decimalText } from './fields.ts'
import type { Row } from './computed-rows.ts'
import { send, shown } from './services.ts'

const { SELECT } = cds.ql
const SERVICE = 'ProposalsService'
const BLOCKED_PAIRS = 'AdminService.BlockedPairs' as AnyEntity

const VALUES = Object.keys(POLICY_NUMBERS)

const entered = (key: Row) =>
  Object.fromEntries(POLICY_KEY_NAMES.map((name) => [name, String(key[name] ?? '').trim() || null]))

/** As ProposalsService takes it: what its level does not name is left out of it where it is empty. */
function ruleOf(key: Row, values: Row): PolicyRule {
  const numbers = VALUES.map((name) => [name, values[name] ?? null])
  return {
    ...{ level: key.level, ...entered(key), ...Object.fromEntries(numbers) },
    minimumOrderValue: decimalText(values.minimumOrderValue),
    orderDays: daysOf(values.orderDays),
  } as PolicyRule
}

/** Weekdays as somebody enters them, `1,3,5`. */
function daysOf(text: unknown): number[] | null {
  if (!text) return null
  const days = String(text)
    .split(/[,;\s]+/)
    .filter(Boolean)
  if (days.every((day) => /^[1-7]$/.test(day))) return days.map(Number)
  const message = 'orderDays: must be weekdays from 1 (Monday) to 7, such as 1,3,5'
  throw new Refusal('invalid_parameter', message, { target: 'orderDays' })
}

const keyOf = ({ params }: Request) => params[0] as Row

async function set(rule: PolicyRule) {
  const stored = await send<Row>(SERVICE, 'setPolicy', { rule })
  const key = Object.fromEntries(['level', ...POLICY_KEY_NAMES].map((name) => [name, stored[name]]))
  return shown('Policies', key)
}

export const setRule = ({ data }: Request<Row>) => set(ruleOf(data, data))

export const changeRule = (request: Request<Row>) => set(ruleOf(keyOf(request), request.data))

export const removeRule = (request: Request) => {
  const { level, ...key } = keyOf(request)
  return send(SERVICE, 'removePolicy', { rule: { level, ...entered(key) } })
}

const LeadTime = z.object({
  leadTimeDays: z.int().min(0).max(3650),
  level: z.enum(POLICY_LEVELS).nullish(),
})

/** Writes the lead time of a blocked pair into a rule, whose other values stay as they are. */
export async function setLeadTime(request: Request) {
  const { leadTimeDays, level } = checked(LeadTime, request.data)
  const { series, missing } = keyOf(request)
  const pair = await SELECT.one.from(BLOCKED_PAIRS).where({ series, missing })
  if (!pair) throw new Refusal('not_found', 'This pair is no longer blocked.')
  const key = namedBy(level ?? 'sku+location', pair)
  const { data } = await send<{ data: Row[] }>(SERVICE, 'policies', { filter: key, limit: 1 })
  const before = data[0] ?? {}
  const orderDays = (before.orderDays as number[] | null | undefined)?.join(',') ?? null
  return set(ruleOf(key, { ...before, orderDays, leadTimeDays }))
}

/** What a rule of this level names for a pair. */
function namedBy(level: PolicyLevel, pair: Row) {
  const named: readonly string[] = POLICY_KEYS[level]
  const lacking = named.find((name) => !pair[name])
  if (lacking) {
    throw new Refusal('invalid_parameter', `level: this pair has no ${lacking}`, {
      target: 'level',
    })
  }
  const names = POLICY_KEY_NAMES.map((name) => [name, named.includes(name) ? pair[name] : ''])
  return { level, ...Object.fromEntries(names) } as Row
}
