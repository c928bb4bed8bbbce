import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.array(z.number())]).nullable()

/** A rule as the API answers it: what it is for, and its values. */
export const policy = z.looseObject({
  level: z.string(),
  sku: z.string().nullable(),
  location: z.string().nullable(),
  supplier: z.string().nullable(),
  group: z.string().nullable(),
  updated_by: z.string().nullish(),
  updated_at: z.string().nullish(),
})
export type Policy = z.infer<typeof policy>

const NO_VALUES = ['level', 'sku', 'location', 'supplier', 'group', 'updated_at', 'updated_by']

/** What a rule says; fields that a later server adds are values too. */
export function valuesIn(rule: Policy): Record<string, string | number | number[]> {
  return Object.fromEntries(
    Object.entries(rule).flatMap(([name, given]) => {
      const parsed = value.safeParse(given)
      return NO_VALUES.includes(name) || !parsed.success || parsed.data === null
        ? []
        : [[name, parsed.data]]
    }),
  )
}

/** `lead_time_days 14, moq 40` */
export function sayingOf(rule: Policy): string {
  return Object.entries(valuesIn(rule))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join('+') : value}`)
    .join(', ')
}
