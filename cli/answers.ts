// What the commands read out of the API's answers; further fields may come at any time.
import { z } from 'zod'
import { Failure } from './errors.ts'
import type { Answer } from './answer.ts'

const text = z.string()
const optional = z.string().nullish()

export const proposal = z.object({
  id: text,
  sku: text,
  location: text,
  quantity: z.number(),
  rationale: text,
  status: text,
  supplier: optional,
  value: optional,
  currency: optional,
  order_by: optional,
  urgency: optional,
  calculation: z.object({
    horizon_days: z.number(),
    p50: z.number(),
    on_hand: z.number(),
    on_order: z.number(),
  }),
})
export type Proposal = z.infer<typeof proposal>

export const forecast = z.object({
  sku: text,
  location: text,
  horizon_days: z.number(),
  forecast: z.object({ p10: z.number(), p50: z.number(), p90: z.number() }),
  confidence: text,
  drivers: z.array(text),
  as_of: optional,
})

const schedule = z.object({
  expression: text,
  is_default: z.boolean().nullish(),
  next_run_at: optional,
})
export type Schedule = z.infer<typeof schedule>

export const source = z.object({
  id: text,
  type: text,
  account: text,
  role: optional,
  status: text,
  demo: z.boolean().nullish(),
  authorization_url: optional,
  expires_at: optional,
  needed_rights: z.array(text).nullish(),
  granted_rights: z.array(text).nullish(),
  streams: z.array(z.object({ stream: text, status: text, message: optional })).nullish(),
  problem: z.object({ code: text, message: text }).nullish(),
  consent_expires_at: optional,
  last_sync: z.object({ id: text, status: text, finished_at: optional }).nullish(),
  data_as_of: optional,
  schedules: z.object({ full: schedule, incremental: schedule }).nullish(),
})
export type Source = z.infer<typeof source>

const tally = z
  .number()
  .nullish()
  .transform((value) => value ?? 0)

export const sync = z.object({
  id: text,
  mode: text,
  status: text,
  phase: optional,
  progress: z
    .object({ done: tally, total: z.number().nullish(), unit: optional })
    .nullish()
    .transform((progress) => progress ?? { done: 0, total: null, unit: null }),
  counts: z
    .object({ read: tally, upserted: tally, unchanged: tally, quarantined: tally, deleted: tally })
    .nullish(),
  started_at: optional,
  finished_at: optional,
  estimated_end_at: optional,
  issues: z
    .array(z.object({ code: text, stream: optional, key: optional, message: text }))
    .nullish()
    .transform((issues) => issues ?? []),
})
export type Sync = z.infer<typeof sync>

export const key = z.object({
  id: text,
  name: optional,
  scopes: z.array(text).nullish(),
  acts_as: optional,
  max_order_value: optional,
  expires_at: optional,
  rotated_to: optional,
})

export const issuedKey = z.object({
  key: text,
  id: optional,
  expires_at: optional,
  old_key_expires_at: optional,
})

/** A page of a list. */
export function listOf<T extends z.ZodType>(row: T) {
  return z.object({ data: z.array(row), next_cursor: optional, has_more: z.boolean() })
}

/** Reads an answer. @throws Failure where the server speaks another contract than this CLI */
export function readAnswer<T extends z.ZodType>(schema: T, answer: Answer): z.infer<T> {
  const parsed = schema.safeParse(answer.body)
  if (parsed.success) return parsed.data
  const place = parsed.error.issues[0]?.path.join('.') || 'body'
  throw new Failure(
    `The server's answer is not as expected (${place}): check that server and CLI are of one version.`,
  )
}
