// What is entered in the apps, checked before a service sees it.
import { z } from 'zod'
import { CRON_RULE, findCronFault } from '../cron.ts'
import { Refusal } from '../errors.ts'

/** @throws Refusal invalid_parameter, the field in `target` */
export function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { error: messageOf })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  const target = path.filter((step) => typeof step === 'string').join('.')
  throw new Refusal('invalid_parameter', `${target}: ${message}`, { target })
}

function messageOf({ code, input }: z.core.$ZodRawIssue): string | undefined {
  const isEmpty = input === undefined || input === null || input === ''
  return isEmpty && (code === 'invalid_type' || code === 'too_small') ? 'is required' : undefined
}

/** Text as somebody types it: blanks around it do not count. */
export const entered = (most: number) => z.string().trim().min(1).max(most)

/** The same where it may be left empty. */
export const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullish()
    .transform((text) => text || null)

/** A cron expression or `off`; empty for the configured one. */
export const schedule = optional(100).superRefine((text, context) => {
  const fault = text === null ? null : findCronFault(text)
  if (fault) context.addIssue({ code: 'custom', message: fault ?? CRON_RULE })
})

/** A decimal, which OData gives as text or as a number, in plain digits; null where there is none. */
export const decimalText = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : plain(String(value))

/** `5.0000` as `5`: the services take so many places as somebody enters. */
const plain = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
