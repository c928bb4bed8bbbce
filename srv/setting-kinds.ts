// The kinds of values that settings take, each with the words for what is allowed.
import { z } from 'zod'
import { isTimeZone } from '../adapters/time-zone.ts'
import { findCronFault } from './cron.ts'

/** Gives a kind of value the words that stand in the table and in the refusal of another value. */
export const allow = <Schema extends z.ZodType>(allowed: string, schema: Schema): Schema =>
  schema.meta({ allowed })

export const flag = () => allow('`true` or `false`', z.boolean())
export const whole = (least: number, most: number) =>
  allow(`a whole number from ${least} to ${most}`, z.int().min(least).max(most))
export const share = (most: number) =>
  allow(`a number from 0 to ${most}`, z.number().min(0).max(most))
export const text = () => allow('a text', z.string().min(1))
/** Kept as a decimal string, so that no digit is lost; in the account's currency unless it names another. */
export const limit = () =>
  allow(
    'an amount such as `"10000.00"` or `"10000.00 USD"`',
    z.preprocess(
      (value) => (typeof value === 'number' ? String(value) : value),
      z.string().regex(/^\d{1,15}(\.\d{1,4})?( [A-Z]{3})?$/),
    ),
  )
export const currency = () =>
  allow('a currency of ISO 4217 such as `"EUR"`', z.string().regex(/^[A-Z]{3}$/))
export const address = () => allow('an `http` or `https` address', z.url({ protocol: /^https?$/ }))
export const cron = () =>
  allow(
    'a cron expression of five fields, or `off`',
    z.string().refine((expression) => !findCronFault(expression)),
  )
export const namePart = () =>
  allow(
    '1 to 64 letters, digits, dots, dashes and underscores',
    z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  )
export const texts = () => allow('texts by name', z.record(z.string(), z.string()))
const zoneName = () => z.string().refine(isTimeZone)
export const timeZone = () =>
  allow('a time zone of the IANA database, such as `"Europe/Berlin"`', zoneName())
export const timeZones = () =>
  allow(
    'time zones of the IANA database by location, such as `{"1010": "America/Los_Angeles"}`',
    z.record(z.string(), zoneName()),
  )
export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  allow(values.map((value) => `\`"${value}"\``).join(' or '), z.enum(values))
