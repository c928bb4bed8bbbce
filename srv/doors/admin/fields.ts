// Validation of values that are entered in the apps.
import cds from '@sap/cds'
import { z } from 'zod'
import { isRefusal, Refusal, toODataError } from '../../base/errors.ts'
import { toCamel } from '../../base/texts/case.ts'
import { languageOf, message, message as written } from '../../base/texts/texts.ts'
import { CRON_RULE, findCronFault } from '../../base/time/cron.ts'

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
  return languageOf(cds.context?.locale ?? '') === 'de' ? german(issue) : undefined
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
function messageOfRefusal({ message, options: { target, sentence } }: Refusal): string {
  if (sentence) return capitalised(written(sentence.key, sentence.args))
  if (!target || !message.startsWith(`${target}: `)) return message
  return capitalised(message.slice(target.length + 2))
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
