import { z } from 'zod'

export type Json = Record<string, unknown>

/** Schemas of the document; those with a name are collected for its components. */
export class Schemas {
  readonly named: Record<string, Json> = {}

  of(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
    const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.named[name] = tidied(definition) as Json
    }
    return tidied(json) as Json
  }
}

const LARGEST = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const DATES = ['date', 'date-time']

/** References as the document has them, without what its readers do not need: a date's format says enough. */
function tidied(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(tidied)
  if (typeof json !== 'object' || json === null) return json
  const { format } = json as Json
  const members = Object.entries(json as Json).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$schema') return []
    if (name === 'pattern' && DATES.includes(String(format))) return []
    if (['minimum', 'maximum'].includes(name) && LARGEST.includes(Number(value))) return []
    if (name === '$ref') return [[name, String(value).replace('#/$defs/', '#/components/schemas/')]]
    return [[name, tidied(value)]]
  })
  return Object.fromEntries(members)
}
