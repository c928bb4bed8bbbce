// Tryton as far as Restock reads it: JSON-RPC over a company. Everything but reads is refused.
import type { Company } from '../company/company.ts'
import type { ModelRecord, TypedText } from '../models/predicate.ts'
import type { RpcAnswer, RpcRequest, RpcServer } from '../models/rpc-server.ts'
import { startRpcServer } from '../models/rpc-server.ts'
import { select } from '../models/table.ts'
import type { Table } from '../models/table.ts'
import { hintsOf, predicateOf } from './domain.ts'
import type { TrytonDomain } from './domain.ts'
import { tablesOf } from './tables.ts'
import { toWire } from './values.ts'

export const TRYTON_USER = { login: 'restock', password: 'only-reads', id: 4 }

export interface TrytonBehaviour {
  /** Models that the user may not read. */
  forbidden: string[]
  /** The next call fails inside HTTP 200, with this message. */
  errorOnce: string | null
  /** The password is no longer valid. */
  isUserLocked: boolean
  badRow: { model: string; id: number; values: Record<string, unknown> } | null
  emptyModel: string | null
  /** The companies that the user works for. */
  companies: number[]
  /** Whether it sees more than the first of them. */
  companyFilter: 'one' | 'all'
  /** Records besides those of the company, with higher numbers. @param warehouse in which quantities are asked for */
  more: Record<string, (warehouse: number | null) => ModelRecord[]>
}

export interface SandboxTryton extends Omit<RpcServer, 'answerOnce'> {
  user: typeof TRYTON_USER
  set(behaviour: Partial<TrytonBehaviour>): void
  answerOnce(status: number, headers?: Record<string, string>): void
  /** What was asked for. */
  bodies: unknown[]
  /** As after some minutes without a call. */
  forgetSessions(): void
}

const PATH = '/company/'

export async function startTryton(
  company: Company,
  { port = 0, ...given }: Partial<TrytonBehaviour> & { port?: number } = {},
): Promise<SandboxTryton> {
  const behaviour: TrytonBehaviour = {
    ...{ forbidden: [], errorOnce: null, isUserLocked: false, badRow: null, emptyModel: null },
    ...{ companies: [1], companyFilter: 'all', more: {} },
    ...given,
  }
  let session = 0
  const bodies: unknown[] = []

  function answer(request: RpcRequest): RpcAnswer {
    const { method, params } = request.body as { method: string; params: unknown[] }
    const { entry, headers } = request
    bodies.push(request.body)
    entry.call = method.replace(/^model\./, '')
    if (request.path !== PATH) return { status: 404, body: {} }
    const done = (result: unknown) => ({ status: 200, body: { id: 1, result } })
    const failed = (...error: unknown[]) => ({ status: 200, body: { id: 1, error } })
    if (method === 'common.db.login') {
      const [name, { password }] = params as [string, { password: string }]
      const isUser = name === TRYTON_USER.login && password === TRYTON_USER.password
      if (!isUser || behaviour.isUserLocked) return { status: 401, body: {} }
      return done([TRYTON_USER.id, `session-${++session}`])
    }
    const expected = `${TRYTON_USER.login}:${TRYTON_USER.id}:session-${session}`
    const wanted = `Session ${Buffer.from(expected).toString('base64')}`
    if (!session || headers.authorization !== wanted) return { status: 401, body: {} }
    if (behaviour.errorOnce) {
      const message = behaviour.errorOnce
      behaviour.errorOnce = null
      return failed(message, 'Traceback')
    }
    if (method === 'model.res.user.get_preferences') {
      const [isContextOnly] = params as [boolean]
      const { companies, companyFilter: company_filter } = behaviour
      const preferences = { company: companies[0] ?? null, company_filter, language: 'en' }
      return done(isContextOnly ? preferences : { ...preferences, companies })
    }
    const [, model = '', name = ''] = /^model\.(.+)\.(\w+)$/.exec(method) ?? []
    if (behaviour.forbidden.includes(model) || !/^search_(read|count)$/.test(name)) {
      return failed('UserError', [`You are not allowed to access "${model}".`, '', null])
    }
    const context = params.at(-1) as { locations?: number[] }
    const warehouse = context.locations?.[0] ?? null
    const table = withMore(tablesOf(company, warehouse)[model], behaviour.more[model]?.(warehouse))
    if (!table) return failed(`'${model}'`, 'Traceback')
    const [domain, , limit, order, fields] = params as Parameters
    const isCount = name === 'search_count'
    const found =
      model === behaviour.emptyModel
        ? []
        : select(table, {
            predicate: predicateOf(domain),
            hints: hintsOf(domain),
            limit: isCount ? Infinity : limit,
            newestFirst: !isCount && order[0]?.[1] === 'DESC',
          })
    if (isCount) return done(found.length)
    entry.rows = found.length
    const { badRow } = behaviour
    const rows = found.map((row) =>
      badRow?.model === model && badRow.id === row.id ? { ...row, ...badRow.values } : row,
    )
    return done(rows.map((row) => rowOf(row, fields)))
  }

  const isData = ({ body }: RpcRequest) => JSON.stringify(body).includes('"model.')
  const server = await startRpcServer(company.clock, port, isData, answer)
  return {
    ...server,
    url: `${server.url}${PATH.slice(0, -1)}`,
    ...{ user: TRYTON_USER, bodies },
    set: (change) => void Object.assign(behaviour, change),
    answerOnce: (status, headers) => server.answerOnce({ status, body: {}, headers }),
    forgetSessions: () => void session++,
  }
}

/** A table with further records. */
function withMore(table: Table | undefined, more: ModelRecord[] | undefined): Table | undefined {
  if (!more) return table
  return {
    fields: table?.fields ?? [],
    *rows(hints) {
      if (table) yield* table.rows(hints)
      yield* more.filter(({ id }) => id > hints.after)
    },
  }
}

type Parameters = [TrytonDomain, number, number, string[][], string[]]

/** Fields of linked records are below the link's name with a dot. */
function rowOf(row: ModelRecord, fields: readonly string[]): ModelRecord {
  const wire: ModelRecord = { id: row.id }
  const ofLinks = new Map<string, string[]>()
  for (const field of fields) {
    const at = field.indexOf('.')
    if (at < 0) wire[field] = valueOf(row[field] ?? null)
    else {
      const link = field.slice(0, at)
      ofLinks.set(link, [...(ofLinks.get(link) ?? []), field.slice(at + 1)])
    }
  }
  for (const [link, further] of ofLinks) {
    const linked = (row[link] ?? null) as ModelRecord | null
    wire[`${link}.`] = linked && rowOf(linked, further)
  }
  return wire
}

function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return 'text' in value ? toWire(value as TypedText) : (value as ModelRecord).id
}
