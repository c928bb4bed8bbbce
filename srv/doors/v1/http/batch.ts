// Calls about many items, each answered on its own.
import { z } from 'zod'
import { type ErrorDetail, isRefusal, Refusal } from '../../../base/errors.ts'
import { validate } from '../../../base/input.ts'

const MAX_ITEMS = 1000

/** A list whose items are validated one by one: a bad one is an error of its own. */
export const itemsOf = (item: z.ZodType) =>
  z.array(z.unknown()).meta({
    items: z.toJSONSchema(item, { io: 'input' }),
    minItems: 1,
    maxItems: MAX_ITEMS,
  })

export const ItemError = z.object({
  code: z.string(),
  message: z.string(),
  target: z.string().nullable(),
})

export const BatchSummary = z.object({
  requested: z.int(),
  succeeded: z.int(),
  failed: z.int(),
})

/** @throws Refusal for no items at all, and for too many */
export function assertBatch(items: unknown[], name: string) {
  if (!items.length) throw new Refusal('invalid_request', `${name} is empty.`, { target: name })
  if (items.length > MAX_ITEMS) {
    throw new Refusal('batch_too_large', `A batch takes ${MAX_ITEMS} ${name} at most.`, {
      target: name,
    })
  }
}

/** @param members the members of the error for an item that is no object */
export function readItem<T>(
  schema: z.ZodType<T>,
  item: unknown,
  members: string,
): { item: T; error?: undefined } | { item?: undefined; error: ErrorDetail } {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    const message = `An item must be an object with ${members}.`
    return { error: { code: 'invalid_parameter', message, target: null } }
  }
  try {
    return { item: validate(schema, item) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { error: toItemError(error) }
  }
}

export const toItemError = ({ code, message, options: { target, details, members } }: Refusal) => ({
  ...{ code, message, target: target ?? null },
  ...(details && { details }),
  ...members,
})

export function summaryOf(results: { status: string }[]): z.infer<typeof BatchSummary> {
  const succeeded = results.filter(({ status }) => status === 'ok').length
  return { requested: results.length, succeeded, failed: results.length - succeeded }
}

/** A text as it was given, to tell which item is meant. */
export function echo(item: unknown, name: string): string | null {
  const value: unknown = new Map(Object.entries(item ?? {})).get(name)
  return typeof value === 'string' ? value : null
}
