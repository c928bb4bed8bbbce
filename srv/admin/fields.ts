// Validation of values that are entered in the apps.
import cds from '@sap/cds'
import { z } from 'zod'
import { CRON_RULE, findCronFault } from '../cron.ts'
import { Refusal } from '../errors.ts'
import { languageOf, message } from '../texts.ts'

/** @throws Refusal invalid_parameter with the field as `target` */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: messageOf })
  if (parsed.success) return parsed.data
  const { path, message: text } = parsed.error.issues[0]!
  const target = path.filter((step) => typeof step === 'string').join('.')
  throw new Refusal('invalid_parameter', `${target}: ${text}`, { target })
}

/** In the language of the user. */
function messageOf(issue: z.core.$ZodRawIssue) {
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
