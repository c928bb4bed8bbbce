import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { ABC_CLASSES, PLAN_KINDS } from '../../../engine/index.ts'
import { countryCodes } from '../../../holidays/public-holidays.ts'
import type { AnyEntity } from '../../base/database/entities.ts'
import { Refusal } from '../../base/errors.ts'
import { refusedField } from '../../base/input.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { blockedText } from '../../base/texts/sentences.ts'
import { codeNames, message, written, writtenAmount } from '../../base/texts/texts.ts'
import * as money from '../../domain/money/index.ts'
import * as plans from '../../domain/plans/index.ts'
import {
  classOf,
  listPolicies,
  parsePriceBreaks,
  POLICY_AMOUNTS,
  POLICY_KEY_NAMES,
  POLICY_KEYS,
  POLICY_LEVELS,
  POLICY_NUMBERS,
  type PolicyLevel,
  type PolicyRule,
  removePolicy,
  setPolicy,
  writePriceBreaks,
} from '../../domain/proposals/index.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'
import { decimalText, keyOf, optionalText, pageOf, parseInput, readOwnRow } from './rows.ts'

const BLOCKED_PAIRS = 'AdminService.BlockedPairs' as AnyEntity

const VALUES = Object.keys(POLICY_NUMBERS)

const keyValues = (key: ODataRow) =>
  Object.fromEntries(POLICY_KEY_NAMES.map((name) => [name, String(key[name] ?? '').trim() || null]))

/** A rule as the domain takes it: empty keys and values become null. */
function toRule(key: ODataRow, values: ODataRow): PolicyRule {
  const numbers = VALUES.map((name) => [name, values[name] ?? null])
  if (values.targetPercent !== undefined)
    numbers.push(['targetQuantile', toQuantile(values.targetPercent)])
  const amounts = POLICY_AMOUNTS.map((name) => [name, decimalText(values[name])])
  return {
    ...{ level: key.level, ...keyValues(key), ...Object.fromEntries([...numbers, ...amounts]) },
    orderDays: parseWeekdays(values.orderDays),
    ordersByLocation: values.ordersByLocation ?? null,
    unmetDemand: values.unmetDemand || null,
    responsible: values.responsible || null,
    teamLead: values.teamLead || null,
    priceBreaks: values.priceBreaks ? parsePriceBreaks(String(values.priceBreaks)) : null,
  } as PolicyRule
}

const PERCENTS = { least: 50, most: 99 }

/** A service target as people enter it. @throws Refusal invalid_parameter */
function toQuantile(percent: unknown): number | null {
  if (percent == null) return null
  const [value, { least, most }] = [Number(percent), PERCENTS]
  if (value >= least && value <= most) return Number((value / 100).toFixed(6))
  throw refusedField('targetPercent', 'invalid_percent', PERCENTS)
}

/** The level of a rule by what it names. @throws Refusal invalid_parameter */
function levelOf(data: ODataRow): PolicyLevel {
  const named = POLICY_KEY_NAMES.filter((name) => String(data[name] ?? '').trim())
  const abcClass = String(data.abcClass ?? '').trim() || null
  if (abcClass && !(ABC_CLASSES as readonly string[]).includes(abcClass))
    throw refusedField('abcClass', 'invalid_one_of', { names: ABC_CLASSES.join(', ') })
  const found = POLICY_LEVELS.find(
    (level) =>
      classOf(level) === abcClass &&
      [...POLICY_KEYS[level]].sort().join() === [...named].sort().join(),
  )
  if (found) return found
  throw refusedField(named.at(-1)!, 'invalid_rule_keys')
}

/** Weekdays of ISO 8601, entered as `1,3,5`. @throws Refusal invalid_parameter */
function parseWeekdays(text: unknown): number[] | null {
  if (!text) return null
  const days = String(text)
    .split(/[,;\s]+/)
    .filter(Boolean)
  if (days.every((day) => /^[1-7]$/.test(day))) return days.map(Number)
  throw refusedField('orderDays', 'invalid_weekdays')
}

const keyOfRule = ({ params }: Request) => params[0] as ODataRow

async function storeRule(rule: PolicyRule, request: Request) {
  const stored = await setPolicy(rule)
  for (const name of stored.unknown) {
    request.warn(message(`unknown_${name}`, { code: rule[name] }))
  }
  const names = ['level', ...POLICY_KEY_NAMES] as const
  const key = Object.fromEntries(names.map((name) => [name, stored[name]]))
  return readOwnRow('Policies', key)
}

/** The entered values. A box that is not ticked sets nothing, unless the rule is already set to no. */
const entered = (
  data: ODataRow,
  before: Pick<PolicyRule, 'ordersByLocation'> | null = null,
): ODataRow => ({
  ...data,
  ordersByLocation: data.ordersByLocation || (before?.ordersByLocation === false ? false : null),
})

export const setRule = (request: Request<ODataRow>) =>
  storeRule(
    toRule({ ...request.data, level: levelOf(request.data) }, entered(request.data)),
    request,
  )

export async function changeRule(request: Request<ODataRow>) {
  const key = keyOfRule(request)
  return storeRule(toRule(key, entered(request.data, await readRule(key))), request)
}

/** The values of a rule; empty if there is none. */
async function readRule(key: ODataRow) {
  const { data } = await listPolicies({ filter: key, limit: 1 })
  return data[0] ?? null
}

export const removeRule = (request: Request) => {
  const { level, ...key } = keyOfRule(request)
  return removePolicy({ ...keyValues(key), level: level as PolicyLevel })
}

const LeadTime = z.object({
  leadTimeDays: z.int().min(0).max(3650),
  level: z.enum(POLICY_LEVELS).nullish(),
})

const SAYS = [
  ...VALUES.map((name) => (name === 'targetQuantile' ? 'targetPercent' : name)),
  ...POLICY_AMOUNTS,
  'unmetDemand',
  'orderDays',
  'ordersByLocation',
  'priceBreaks',
  'responsible',
  'teamLead',
]

/** The elements that each text is made from. */
export const SOURCE_ELEMENTS = {
  detailText: 'detail',
  reason: 'facts',
  recordText: 'record',
  skuText: 'sku',
  supplierText: 'supplier',
  typesText: 'types',
  targetPercent: 'targetQuantile',
  title: ['level', ...POLICY_KEY_NAMES].join(),
  says: [...SAYS, 'targetQuantile'].filter((name) => name !== 'targetPercent').join(),
}

export function showBlocked(row: ODataRow) {
  if ('reason' in row) row.reason = blockedText(row)
  if (typeof row.sku === 'string') row.skuText = plainCode(row.sku)
  // UI5 reports an error if a requested element is missing.
  if ('supplier' in row) row.supplierText = row.supplier ? plainCode(String(row.supplier)) : null
}

/** The names of a rule without leading zeros; those that it does not use are empty. Amounts with two decimals. */
export async function showRule(row: ODataRow) {
  for (const name of POLICY_AMOUNTS) if (row[name]) row[name] = Number(row[name]).toFixed(2)
  if (typeof row.sku === 'string') row.skuText = plainCode(row.sku)
  if (typeof row.supplier === 'string') row.supplierText = plainCode(row.supplier)
  if ('targetQuantile' in row)
    row.targetPercent = row.targetQuantile == null ? null : toPercent(row.targetQuantile)
  if ('leadTimeDays' in row)
    row.says = SAYS.flatMap((name) => saying(name, row[name]) ?? []).join('; ')
  if (POLICY_KEY_NAMES.every((name) => name in row)) row.title = await titleOf(row)
}

/** `Supplier at a location: S-04, UK`. */
async function titleOf(row: ODataRow) {
  const nameOf = await codeNames('PolicyLevels')
  const names = POLICY_KEY_NAMES.filter((name) => row[name]).map((name) =>
    plainCode(String(row[name])),
  )
  return [nameOf(String(row.level)), names.join(', ')].filter(Boolean).join(': ')
}

const toPercent = (quantile: unknown) => Number((100 * Number(quantile)).toFixed(4))

/** `Lead time (days): 14`; null if the rule does not set the value. */
function saying(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const label = cds.i18n.labels.at(name, cds.context?.locale ?? 'en') ?? name
  if (typeof value === 'boolean') return value ? label : message('rule_no', { name: label })
  const isAmount = (POLICY_AMOUNTS as readonly string[]).includes(name)
  return `${label}: ${isAmount ? writtenAmount(Number(value)) : written(value)}`
}

/** Sets the lead time in a rule that applies to a blocked pair; the rule's other values stay as they are. */
export async function setLeadTime(request: Request) {
  const { leadTimeDays, level } = parseInput(LeadTime, request.data)
  const { series, missing } = keyOfRule(request)
  const pair = await SELECT.one.from(BLOCKED_PAIRS).where({ series, missing })
  if (!pair) throw new Refusal('not_found', 'This pair is no longer blocked.')
  const key = ruleKeyOf(level ?? 'sku+location', pair)
  const before = await readRule(key)
  const orderDays = before?.orderDays?.join(',') ?? null
  const priceBreaks = writePriceBreaks(before?.priceBreaks ?? [])
  return storeRule(toRule(key, { ...before, orderDays, priceBreaks, leadTimeDays }), request)
}

/** The key of the rule of this level that applies to a pair. @throws Refusal invalid_parameter */
function ruleKeyOf(level: PolicyLevel, pair: ODataRow) {
  const named: readonly string[] = POLICY_KEYS[level]
  const missing = named.find((name) => !pair[name])
  if (missing) {
    throw new Refusal('invalid_parameter', `level: this pair has no ${missing}`, {
      target: 'level',
    })
  }
  const names = POLICY_KEY_NAMES.map((name) => [name, named.includes(name) ? pair[name] : ''])
  return { level, ...Object.fromEntries(names) } as ODataRow
}

const NewEvent = z.object({
  kind: z.enum(PLAN_KINDS),
  firstDay: z.iso.date(),
  lastDay: z.iso.date().nullish(),
  sku: optionalText(100),
  location: optionalText(100),
  skuGroup: optionalText(100),
  factor: z.number().nullish(),
  price: z.number().min(0).nullish(),
  name: optionalText(200),
})

export async function addEvent({ data }: Request<ODataRow>) {
  const { ID } = await plans.addEvent(parseInput(NewEvent, data))
  return readOwnRow('PlannedEvents', { ID })
}

export function nameSku(row: ODataRow) {
  if ('sku' in row) row.skuText = row.sku ? plainCode(String(row.sku)) : null
}

export const removeEvent = (request: Request) => plans.removeEvent(keyOf(request)!)

const NewCalendar = z.object({
  location: optionalText(100),
  country: optionalText(2),
  region: optionalText(20),
})

export async function setHolidays({ data }: Request<ODataRow>) {
  const { location } = await plans.setCalendar(parseInput(NewCalendar, data))
  return readOwnRow('HolidayCalendars', { location })
}

export const removeHolidays = (request: Request) =>
  plans.removeCalendar(keyOf<string>(request, 'location') ?? '')

/** `Germany, BY`; what an empty country says is none. */
export function nameCountry(row: ODataRow) {
  if (row.country === undefined) return
  const parts = row.country === null ? [message('no_holidays')] : [nameOf(String(row.country))]
  row.countryText = [...parts, row.region].filter(Boolean).join(', ')
}

export async function readCountries(request: Request) {
  const codes = await countryCodes()
  const rows = codes.map((code) => ({ code, name: nameOf(code) }))
  return pageOf(
    request,
    rows.sort((a, b) => a.name.localeCompare(b.name, locale())),
  )
}

const locale = () => (cds.context?.locale ?? 'en').replaceAll('_', '-')
const nameOf = (code: string) =>
  new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code

interface NewRate {
  fromCurrency: string
  toCurrency: string
  rate: number | string
  validFrom: string
}

export const setRate = async ({ data }: Request<NewRate>) =>
  readOwnRow('ExchangeRates', await money.setRate({ ...data, rate: decimalText(data.rate) }))

export const removeRate = ({ params }: Request) => money.removeRate(params[0] as money.RateKey)
