import { bad } from './error.ts'
import type { Edm, Value } from './set.ts'

const V2_TIMED = /^(datetime|datetimeoffset|time|guid)'([^']*)'$/
const NUMBER = /^-?\d+(\.\d+)?[MmDdFfLl]?$/

/**
 * Parses a literal of a filter by the type of its field.
 * @throws Refusal 400
 */
export function parseLiteral(text: string, edm: Edm, version: 2 | 4, field: string): Value {
  const wrong = () => bad(`Invalid literal ${text} for ${field} of type Edm.${edm}`)
  if (text.startsWith("'")) {
    if (edm !== 'String') throw wrong()
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (text === 'null') return null
  if (text === 'true' || text === 'false') {
    if (edm !== 'Boolean') throw wrong()
    return text === 'true'
  }
  if (edm === 'Decimal' || edm === 'Int') {
    if (!NUMBER.test(text)) throw wrong()
    return text.replace(/[a-z]$/i, '')
  }
  const value = version === 2 ? parseTimeV2(text, edm) : parseTimeV4(text, edm)
  if (value === undefined || Number.isNaN(value)) throw wrong()
  return value
}

function parseTimeV2(text: string, edm: Edm): Value | undefined {
  const [, prefix, inner = ''] = V2_TIMED.exec(text) ?? []
  if (edm === 'Time' && prefix === 'time') return inner
  if (edm === 'DateTime' && prefix === 'datetime') {
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(inner)
      ? Date.parse(`${inner}Z`)
      : undefined
  }
  if (edm === 'DateTimeOffset' && prefix === 'datetimeoffset') {
    return /(Z|[+-]\d\d:\d\d)$/.test(inner) ? Date.parse(inner) : undefined
  }
  return undefined
}

function parseTimeV4(text: string, edm: Edm): Value | undefined {
  if (edm === 'Date') return /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : undefined
  if (edm === 'DateTimeOffset') {
    return /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : undefined
  }
  return undefined
}
