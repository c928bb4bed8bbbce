// The kinds of parameters and fields that /v1 takes, as schemas.
import { z } from 'zod'
import { type ErrorDetail, invalidParameter, Refusal } from './errors.ts'
import { message, type MessageArgs } from './texts/texts.ts'

/** Text that a database can hold: no NUL character, and no half of one that takes two units of UTF-16, as of an emoji. */
export const text = () =>
  z
    .string()
    // eslint-disable-next-line no-control-regex
    .regex(/^[^\u0000]*$/, 'must not contain a NUL character')
    .refine((value) => value.isWellFormed(), 'must not contain half a character, such as "\\ud83d"')

/** The same for a field that was published without a pattern, which would narrow it. */
export const storable = (schema: z.ZodString) =>
  schema.refine(
    (value) => !value.includes('\0') && value.isWellFormed(),
    'must not contain a NUL character, or half a character such as "\\ud83d"',
  )

/** An identifier as the ERP spells it. */
export const code = () => text().min(1)

/** The codes of an enum of the model; the compiler refuses one too many, and a missing one. */
export const codesOf = <Code extends string>(codes: Record<Code, true>) =>
  z.enum(Object.keys(codes) as [Code, ...Code[]])

/** The refusal of an id in a list. */
export const invalidId = (target: string, id: string, example: string) =>
  invalidParameter(target, `"${id}" is no id such as ${example}`)

/** The refusal of a field, in a sentence. @param key of _i18n/messages.json */
export function refusedField(target: string, key: string, args: MessageArgs = {}) {
  const text = `${target}: ${message(key, args, 'en')}`
  return new Refusal('invalid_parameter', text, { target, sentence: { key, args } })
}

/** An integer in a query, in plain digits. */
export const integerInQuery = (from: number, to: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, `must be an integer from ${from} to ${to}`)
    .transform(Number)
    .pipe(z.int().min(from).max(to))

/** A boolean in a query: exactly `true` or `false`. */
export const booleanInQuery = () =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .pipe(z.boolean())

/** A parameter that may be repeated; always a list. */
export const repeatable = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => [given].flat(), z.array(value))

/** A non-negative amount of money as a decimal string; database columns hold 13 digits before the point. */
export const MONEY = /^\d{1,13}(\.\d{1,4})?$/
export const money = () =>
  z.string().regex(MONEY, 'must be a decimal string such as "504.00", not negative')

/** Up to which amount somebody may approve: the same, of two places. */
export const LIMIT = /^\d{1,13}(\.\d{1,2})?$/
export const limit = () =>
  z.string().regex(LIMIT, 'must be a decimal string such as "500.00", not negative')

export const CURRENCY = /^[A-Z]{3}$/
export const CURRENCY_RULE = 'must be a currency of ISO 4217 such as "EUR"'
export const currency = () => z.string().regex(CURRENCY, CURRENCY_RULE)

/** What a value must be; one that is missing, null or a list is told by `messageOf`. */
const rule =
  (text: string) =>
  ({ input }: z.core.$ZodRawIssue) =>
    input == null || Array.isArray(input) ? undefined : text

/** An ISO 8601 timestamp in UTC; normalised to milliseconds. */
export const timestamp = () =>
  z.iso
    .datetime({ error: rule('must be a UTC timestamp such as 2026-11-20T03:12:09Z'), abort: true })
    .refine((value) => value >= '0001' && !Number.isNaN(Date.parse(value)), {
      error: 'is no date',
      abort: true,
    })
    .transform((value) => new Date(value).toISOString())
    .pipe(z.iso.datetime())

/** A calendar day; databases know no year 0. */
export const day = () =>
  z.iso
    .date({ error: rule('must be a day such as 2026-11-20') })
    .refine((value) => value >= '0001', 'must not be before the year 1')

const [FIRST_MONTH, LAST_MONTH] = ['1970-01', '2199-12']

/** A calendar month of those in which there may be demand. @param pattern as it was published */
export const month = (pattern = /^[0-9]{4}-(0[1-9]|1[0-2])$/) =>
  z
    .string()
    .regex(pattern, 'must be a month as YYYY-MM')
    .refine(
      (value) => value >= FIRST_MONTH && value <= LAST_MONTH,
      `must lie between ${FIRST_MONTH} and ${LAST_MONTH}`,
    )

/** A timestamp in the future. */
export const future = () =>
  timestamp().refine((value) => value > new Date().toISOString(), 'must be in the future')

/** What somebody can read; a body of a megabyte can have a hundred thousand faults. */
const MOST_DETAILS = 100

/**
 * What the schema makes of the input.
 * @throws Refusal invalid_parameter for the first fault, with the faults in `details` if there are more
 */
export function validate<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: messageOf })
  if (parsed.success) return parsed.data
  const details = firstFaults(parsed.error.issues).flatMap(faultsOf)
  const { message, target } = details[0]!
  throw new Refusal('invalid_parameter', message, {
    target: target ?? undefined,
    details: details.length > 1 ? details.slice(0, MOST_DETAILS) : undefined,
  })
}

/** One fault of each value: what follows from it, such as a text of the wrong form that is out of bounds too, says no more. */
function firstFaults(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const told = new Set<string>()
  return issues.filter(({ code, path }) => {
    const place = JSON.stringify(path)
    if (code === 'unrecognized_keys') return true
    return !told.has(place) && told.add(place)
  })
}

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue
  if (code === 'unrecognized_keys') return 'is not known here'
  if (input === undefined) return 'is required'
  if (input === null && code === 'invalid_type') return 'must be a value, not null'
  const isList = Array.isArray(input) && !(code === 'invalid_type' && issue.expected === 'array')
  if (isList && (code === 'invalid_type' || code === 'invalid_value'))
    return 'must be a single value'
  return ruleOf(issue, 'en')
}

const KINDS = ['string', 'number', 'int', 'boolean', 'array', 'object', 'record']

/** What a value must be, in a language; undefined where its schema alone says so. */
export function ruleOf(issue: z.core.$ZodRawIssue, language: string): string | undefined {
  const say = (key: string, args: MessageArgs = {}) => message(key, args, language)
  if (issue.code === 'invalid_type' && KINDS.includes(issue.expected))
    return say(`invalid_kind_${issue.expected}`)
  if (issue.code === 'invalid_value')
    return say('invalid_one_of', { names: issue.values.map(String).join(', ') })
  if (issue.code === 'invalid_format' && issue.format === 'date') return say('invalid_day')
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined
  const { origin } = issue
  // As text, because a bound stands as it is typed.
  const bound = String(issue.code === 'too_small' ? issue.minimum : issue.maximum)
  const of = ['string', 'array'].includes(origin) ? `_${origin}` : ''
  if (of && issue.code === 'too_small' && bound === '1') return say('invalid_blank')
  return say(`invalid_${issue.code}${of}`, { bound })
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
