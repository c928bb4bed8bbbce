// Calls the task provider of a running service like SAP Task Center does.
import { z } from 'zod'
import { Failure } from '../errors.ts'
import { isLoopback } from '../key.ts'
import type { AxiosInstance } from 'axios'

const TIMEOUT_MS = 30_000

const localText = z.object({
  languageCode: z.string(),
  text: z.string().max(255),
  isDefault: z.boolean().optional(),
})
const ms = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const base = {
  urn: z.string().max(300).startsWith('urn:sap.odm.bpm.'),
  localId: z.string().max(64),
  applicationId: z.string(),
  applicationInstanceId: z.string(),
  tenantId: z.string(),
}
const operation = z.object({ code: z.string().max(64), name: z.array(localText).min(1) })

export const capabilities = z.object({
  value: z.array(z.object({ name: z.string(), value: z.enum(['true', 'false']) })),
})
export const definition = z.object({
  ...base,
  name: z.array(localText).min(1),
  possibleResponses: z.array(operation),
  possibleActions: z.array(operation),
  customAttributes: z.array(z.object({ code: z.string(), type: z.string() })),
})
const STATUSES = [
  'READY',
  'RESERVED',
  'IN_PROGRESS',
  'FOR_RESUBMISSION',
  'INACTIVE',
  'COMPLETED',
  'CANCELED',
] as const

export const task = z.object({
  ...base,
  definitionId: z.string(),
  createdAt: ms,
  modifiedAt: ms,
  status: z.enum(STATUSES),
  subject: z
    .array(localText)
    .refine((texts) => texts.filter((each) => each.isDefault).length === 1),
  processor: z.string().nullish(),
  dueAt: ms.nullish(),
  priority: z.string().optional(),
  uiLink: z.string().max(2000).optional(),
  recipientUsers: z.array(z.string()).max(100).optional(),
  recipientGroups: z.array(z.string()).max(100).optional(),
  customAttributes: z.array(z.object({ code: z.string(), value: z.string().max(255) })).max(30),
})
export type Task = z.infer<typeof task>
export const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

export interface Answer {
  status: number
  body: unknown
  ms: number
}

export class Provider {
  readonly #http: AxiosInstance

  private constructor(http: AxiosInstance) {
    this.#http = http
  }

  /** The destination's token, or the name of the technical user in development. */
  static async open(url: URL, authorization: string): Promise<Provider> {
    const { default: axios } = await import('axios')
    const http = axios.create({
      baseURL: url.href.replace(/\/$/, ''),
      timeout: TIMEOUT_MS,
      maxRedirects: 0,
      validateStatus: () => true,
      headers: { authorization },
      ...(isLoopback(url) ? { proxy: false } : {}),
    })
    return new Provider(http)
  }

  async get(path: string, params: Record<string, string | number> = {}): Promise<Answer> {
    const begun = performance.now()
    try {
      const { status, data } = await this.#http.get<unknown>(path, { params })
      return { status, body: data, ms: performance.now() - begun }
    } catch (problem) {
      throw new Failure(`Nothing answers: ${(problem as Error).message}`)
    }
  }

  /** @throws Failure for a status other than 200, or an invalid body */
  async read<T>(path: string, schema: z.ZodType<T>, params: Record<string, string | number> = {}) {
    const { status, body } = await this.get(path, params)
    if (status !== 200) throw new Failure(`${path} answers ${status}: ${messageOf(body)}`)
    const { data, error: fault } = schema.safeParse(body)
    if (data !== undefined) return data
    const [issue] = fault!.issues
    throw new Failure(`${path} has an unexpected shape: ${issue!.path.join('.')} ${issue!.message}`)
  }
}

const messageOf = (body: unknown) => error.safeParse(body).data?.error.message ?? 'no reason given'
