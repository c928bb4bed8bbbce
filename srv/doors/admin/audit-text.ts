// Details of the change log in the words of the apps: they are stored as JSON, or as `{…} → {…}`.
import cds from '@sap/cds'
import { codeNames, hasMessage, message, type NameOf, writtenDay } from '../../base/texts/texts.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'

export async function addDetailText(row: ODataRow) {
  if (typeof row.detail !== 'string') return
  const nameOf = row.detail.includes(PLAN_KIND) ? await codeNames('PlanKinds') : null
  row.detailText = detailText(nameOf ? withKindNamed(row.detail, nameOf) : row.detail)
}

const PLAN_KIND = '"planKind":"'
const withKindNamed = (detail: string, nameOf: NameOf) =>
  detail.replace(/"planKind":"(\w+)"/, (_, kind) => `${PLAN_KIND}${nameOf(kind)}"`)

type Values = Record<string, unknown>

const NOTHING = 'nothing'
const CHANGE = /^(\{.*\}|nothing) → (\{.*\}|nothing)$/s

function detailText(detail: string): string {
  const [, was, now] = CHANGE.exec(detail) ?? []
  if (was && now) return changes(valuesIn(was) ?? {}, valuesIn(now) ?? {}) || detail
  const values = valuesIn(detail)
  if (!values) return detail.replace(TIMESTAMPS, timeOf)
  const { before, after, ...others } = values
  const rest = changes({}, others)
  if (!('before' in values) && !('after' in values)) return rest
  const moved = isValues(before) || isValues(after) ? changes(of(before), of(after)) : ''
  return [moved || `${textOf(before)} → ${textOf(after)}`, rest].filter(Boolean).join('; ')
}

/** @returns null for incomplete JSON, since long details are cut off */
function valuesIn(text: string): Values | null {
  if (text === NOTHING) return null
  try {
    const parsed: unknown = JSON.parse(text)
    return isValues(parsed) ? parsed : null
  } catch {
    return null
  }
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const of = (value: unknown): Values => (isValues(value) ? value : {})

/** `Lead time (days) set to 14; Lot size 6 → 12`: what is the same in both is left out. */
function changes(was: Values, now: Values): string {
  return [...new Set([...Object.keys(was), ...Object.keys(now)])]
    .filter((name) => name !== 'ID' && textOf(was[name]) !== textOf(now[name]))
    .map((name) => changeOf(name, textOf(was[name]), textOf(now[name])))
    .join('; ')
}

function changeOf(key: string, was: string, now: string): string {
  const name = nameOfValue(key)
  if (was === NONE) return message('audit_set', { name, now })
  return now === NONE ? message('audit_removed', { name, was }) : `${name} ${was} → ${now}`
}

/** The label in the apps, or else one that only the log has. */
function nameOfValue(key: string): string {
  const own = `audited_${key}`
  const label = cds.i18n.labels.at(key, cds.context?.locale ?? 'en')
  return label ?? (hasMessage(own) ? message(own) : key)
}

const NONE = '–'

function textOf(value: unknown): string {
  if (typeof value === 'string' && TIMESTAMP.test(value)) return timeOf(value)
  const text = Array.isArray(value) ? value.join(', ') : writtenDay(value)
  return text || NONE
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const TIMESTAMPS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

const timeOf = (text: string) =>
  new Date(text).toLocaleString((cds.context?.locale ?? 'en').replaceAll('_', '-'), {
    ...{ dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' },
  })
