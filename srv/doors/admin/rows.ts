// Rows of AdminService: the one that an action is bound to, and pages of those that no table stores.
import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { isRefusal, Refusal, toODataError } from '../../base/errors.ts'
import { ruleOf } from '../../base/input.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'
import { toCamel } from '../../base/texts/case.ts'
import { languageOf, message } from '../../base/texts/texts.ts'
import { CRON_RULE, findCronFault } from '../../base/time/cron.ts'

interface Select {
  one?: boolean
  count?: boolean
  where?: unknown[]
  columns?: { func?: string }[]
  orderBy?: { ref?: string[]; sort?: string }[]
  limit?: { rows?: { val: number }; offset?: { val: number } }
}

/** A row as the answer of an action. */
export async function readOwnRow(entity: string, key: object): Promise<unknown> {
  const admin = await cds.connect.to('AdminService')
  return admin.run(SELECT.one.from(`AdminService.${entity}`).where(key))
}

/** The first key in the path: that of the row that an action is bound to, or of the parent; undefined without one. */
export function keyOf<ID = number>({ params }: Request, key = 'ID'): ID | undefined {
  const [first] = params as (ID | Record<string, ID> | undefined)[]
  return typeof first === 'object' ? (first as Record<string, ID>)[key] : first
}

/** What is read of a parent; null where there is no such parent, which its own page says. */
export async function unlessGone<Row>(parent: Promise<Row>): Promise<Row | null> {
  try {
    return await parent
  } catch (error) {
    if (isRefusal(error) && /not_found$/.test(error.code)) return null
    throw error
  }
}

/** A handler that works on the row that an action is bound to. */
export const withKey =
  <Key = number>(act: (key: Key) => unknown) =>
  (request: Request) =>
    act(keyOf<Key>(request)!)

/** A handler that answers with the row as it is afterwards. */
export const withKeyAndRead =
  <Key = number>(entity: string, act: (key: Key) => unknown) =>
  async (request: Request) => {
    await withKey(act)(request)
    return readOwnRow(entity, { ID: keyOf(request) })
  }

/** The requested page of the rows. @throws Refusal invalid_parameter for a filter, which it does not support */
export function pageOf(request: Request, rows: ODataRow[]) {
  const { SELECT } = request.query as { SELECT: Select }
  const { one, count, columns, where, orderBy = [], limit } = SELECT
  if (where?.length) throw new Refusal('invalid_parameter', 'These rows are not filtered.')
  if (one) return rows[0] ?? null
  if (columns?.[0]?.func === 'count') return [{ $count: rows.length }]
  const sorted = orderBy.length ? rows.toSorted(compareBy(orderBy)) : rows
  const from = limit?.offset?.val ?? 0
  const page = sorted.slice(from, from + (limit?.rows?.val ?? sorted.length))
  return count ? Object.assign(page, { $count: rows.length }) : page
}

const compareBy = (orders: NonNullable<Select['orderBy']>) => (a: ODataRow, b: ODataRow) => {
  for (const { ref, sort } of orders) {
    const [left, right] = [a, b].map((row) => row[String(ref?.at(-1))])
    if (left === right) continue
    const isLess = left == null || (right != null && left < right)
    return isLess === (sort !== 'desc') ? -1 : 1
  }
  return 0
}

// Validation of values that are entered in the apps.

/** @throws Refusal invalid_parameter with the field as `target` */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: messageOfIssue })
  if (parsed.success) return parsed.data
  const { path, message: text } = parsed.error.issues[0]!
  const target = path.filter((step) => typeof step === 'string').join('.')
  throw new Refusal('invalid_parameter', `${target}: ${text}`, { target })
}

/** In the language of the user. */
function messageOfIssue(issue: z.core.$ZodRawIssue) {
  const { code, input } = issue
  const isEmpty = input === undefined || input === null || input === ''
  if (isEmpty && (code === 'invalid_type' || code === 'too_small'))
    return message('invalid_required')
  const language = languageOf(cds.context?.locale ?? '') ?? 'en'
  return ruleOf(issue, language) ?? (language === 'de' ? german(issue) : undefined)
}

const german = z.locales.de().localeError

/** Text that must not be empty, without blanks around it. */
export const requiredText = (most: number) => z.string().trim().min(1).max(most)

/** Text without blanks around it; null where it is empty. */
export const optionalText = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullish()
    .transform((text) => text || null)

/** A cron expression or `off`; null, the configured schedule, where it is empty. */
export const scheduleText = optionalText(100).superRefine((text, context) => {
  const fault = text === null ? null : findCronFault(text)
  if (fault) context.addIssue({ code: 'custom', message: fault ?? CRON_RULE })
})

/** A decimal that OData passes as text or number, as text; null where it is empty. */
export const decimalText = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : withoutTrailingZeros(String(value))

/** `5` for `5.0000`: the services count decimal places. */
const withoutTrailingZeros = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

/** Names that differ between /v1 and the apps. */
const NAMES: Record<string, string> = { group: 'skuGroup', events: 'types' }

/** The name of the field in the apps; of an ERP's option `options/<name>`. */
function targetOf({ options: { target } }: Refusal): string | undefined {
  if (!target) return undefined
  if (target.startsWith('options.')) return target.replace('.', '/')
  return NAMES[target] ?? toCamel(target)
}

/** The message in the language of the user, without the name of the field, since the app shows it at the field. */
function messageOfRefusal({ message: text, options: { target, sentence } }: Refusal): string {
  if (sentence) return capitalised(message(sentence.key, sentence.args))
  if (!target || !text.startsWith(`${target}: `)) return text
  return capitalised(text.slice(target.length + 2))
}

const capitalised = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}`

/** The status if an ERP does not answer: at a 503 UI5 would believe that Restock itself is away, and leave the page. */
const ERP_AWAY = 424

/** A refusal as an OData error with its code, status and field; any other error unchanged. */
function toODataRefusal(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { details } = error.options
  return toODataError(error, messageOfRefusal(error), {
    ...(error.code === 'source_unavailable' && { status: ERP_AWAY, statusCode: ERP_AWAY }),
    target: targetOf(error),
    details: details?.map((each) => ({ ...each, target: each.target ?? undefined })),
  })
}

/** Turns the refusals of a handler into OData errors. */
export const withODataErrors =
  <A extends unknown[], T>(handler: (...args: A) => T | Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await handler(...args)
    } catch (error) {
      throw toODataRefusal(error)
    }
  }
