import type { z } from 'zod'
import { type ErrorDetail, Refusal } from '../../errors.ts'

/** What somebody can read; a body of a megabyte can have a hundred thousand faults. */
const MOST_DETAILS = 100

/**
 * What the schema makes of the input.
 * @throws Refusal invalid_parameter for the first fault, with the faults in `details` if there are more
 */
export function validate<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: messageOf })
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.flatMap(faultsOf)
  const { message, target } = details[0]!
  throw new Refusal('invalid_parameter', message, {
    target: target ?? undefined,
    details: details.length > 1 ? details.slice(0, MOST_DETAILS) : undefined,
  })
}

function messageOf({ code, input }: z.core.$ZodRawIssue): string | undefined {
  if (code === 'unrecognized_keys') return 'is not known here'
  if (input === undefined) return 'is required'
  if (Array.isArray(input) && code === 'invalid_type') return 'must be a single value'
  return undefined
}

function faultsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const targets =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path]
  return targets.map((path) => {
    const target = path.filter((step) => typeof step !== 'number').join('.') || null
    return { code: 'invalid_parameter', message: `${target ?? 'input'}: ${issue.message}`, target }
  })
}

/** The query of a URL by parameter name; a list where a parameter is repeated. */
export function parseQuery(url: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>
  const start = url.indexOf('?')
  if (start < 0) return query
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}
