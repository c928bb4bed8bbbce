// One call of a tool: its arguments become the input of its operation, which /v1 checks, and answers or refuses.
import { RestockError, type Restock } from '../client/index.ts'
import type { InputSchema } from './input-schema.ts'
import { PROPOSAL_ID } from './input-schema.ts'
import { TOOLS, type Tool } from './tools.ts'

type Arguments = Record<string, unknown>

/** An error as /v1 has them. */
interface Refused {
  code: string
  message: string
  target?: string | null
  details?: unknown
  request_id?: string | null
  /** Seconds after which the same call may succeed. */
  retry_after?: number
}

export type Outcome = { answer: unknown } | { error: Refused }

const refused = (target: string, rule: string): Outcome => ({
  error: { code: 'invalid_parameter', message: `${target}: ${rule}`, target },
})

/** The first argument that cannot be part of a call at all; what else is wrong /v1 says. */
function faultIn(given: Arguments, { properties }: InputSchema, tool: Tool): Outcome | null {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(properties, name)) return refused(name, 'is not known here')
  }
  if (tool.path.includes('{id}') && !new RegExp(PROPOSAL_ID).test(textOf(given.id))) {
    return refused('id', 'must be the id of a proposal such as "prop_1042"')
  }
  if (tool.method !== 'get') return null
  const odd = Object.entries(given).find(([, value]) => !isFlat(value))
  return odd ? refused(odd[0], 'must be a single value, or a list of them') : null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const isFlat = (value: unknown) =>
  isScalar(value) || (Array.isArray(value) && value.every(isScalar))

/** Calls the operation of a tool with the key of the client. */
export async function callTool(
  tool: Tool,
  schema: InputSchema,
  restock: Restock,
  given: Arguments,
  signal?: AbortSignal,
): Promise<Outcome> {
  const fault = faultIn(given, schema, tool)
  if (fault) return fault
  const { id, ...rest } = { ...tool.defaults, ...given }
  const isRead = tool.method === 'get'
  const input = {
    ...(tool.path.includes('{id}') && { path: { id } }),
    ...(isRead ? { query: rest } : { body: rest }),
    signal,
  }
  try {
    // The table says which operations there are: each was checked against the client's types when it was written.
    const call = restock.call.bind(restock) as (...call: unknown[]) => Promise<{ data: unknown }>
    return { answer: (await call(tool.method, tool.path, input)).data }
  } catch (error) {
    if (!(error instanceof RestockError)) throw error
    const { code, message, retryAfter } = error
    const told = error.error ?? { code, message }
    return { error: { ...told, ...(retryAfter !== null && { retry_after: retryAfter }) } }
  }
}

const OPERATIONS = TOOLS.map(({ method, path }) => {
  const pattern = path.replaceAll('/', '\\/').replace('{id}', PROPOSAL_ID.slice(1, -1))
  return { method: method.toUpperCase(), path: new RegExp(`\\/v1${pattern}$`) }
})

/**
 * A fetch that lets nothing out but the operations of the table: whatever a tool is asked for, no decision is reached through it.
 */
export const onlyTools =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (address, init) => {
    const { pathname } = new URL(String(address))
    const method = init?.method ?? 'GET'
    const isTool = OPERATIONS.some((one) => one.method === method && one.path.test(pathname))
    if (!isTool) throw new Error(`${method} ${pathname} is no operation of a tool.`)
    return fetch(address, init)
  }
