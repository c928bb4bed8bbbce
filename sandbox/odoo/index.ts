// Odoo as far as Restock reads it: JSON-2 and JSON-RPC over a company. Everything but reads is refused.
import type { Company } from '../company/company.ts'
import type { RpcAnswer, RpcRequest, RpcServer } from '../models/rpc-server.ts'
import { startRpcServer } from '../models/rpc-server.ts'
import { WELL } from './behaviour.ts'
import type { OdooBehaviour } from './behaviour.ts'
import { executeRead } from './execute.ts'
import { OdooError } from './execute.ts'
import { tablesOf } from './tables.ts'

export const ODOO_USER = {
  ...{ database: 'company', login: 'restock', key: 'api-key-of-restock', uid: 7 },
}

export interface SandboxOdoo extends Omit<RpcServer, 'answerOnce'> {
  user: typeof ODOO_USER
  set(behaviour: Partial<OdooBehaviour>): void
  answerOnce(status: number, headers?: Record<string, string>): void
}

export async function startOdoo(
  company: Company,
  { port = 0, ...given }: Partial<OdooBehaviour> & { port?: number } = {},
): Promise<SandboxOdoo> {
  const behaviour: OdooBehaviour = { ...WELL, ...given }
  const isKey = (key: unknown) => key === ODOO_USER.key && !behaviour.isKeyRevoked

  function execute(model: string, method: string, args: unknown, { entry }: RpcRequest) {
    entry.call = `${model}.${method}`
    if (behaviour.forbidden.includes(model)) throw new OdooError('AccessError', 403)
    if (behaviour.broken.includes(model)) throw new OdooError('ValueError', 422, 'It broke.')
    const tables = tablesOf(company, behaviour)
    const result = executeRead(tables, model, method, args as object, behaviour)
    if (Array.isArray(result)) entry.rows = result.length
    return result
  }

  function answerJson2(request: RpcRequest): RpcAnswer {
    const [, key] = /^bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    // A JSON string, not an object.
    if (!isKey(key)) return { status: 401, body: 'Invalid apikey' }
    const database = request.headers['x-odoo-database']
    if (database !== undefined && database !== ODOO_USER.database) {
      return { status: 404, body: { message: 'Database not found' } }
    }
    const [model = '', method = ''] = request.path.slice('/json/2/'.length).split('/')
    try {
      return { status: 200, body: execute(model, method, request.body, request) }
    } catch (error) {
      if (!(error instanceof OdooError)) throw error
      const name = `odoo.exceptions.${error.kind}`
      return { status: error.status, body: { name, message: error.message, arguments: [] } }
    }
  }

  function answerRpc(request: RpcRequest): RpcAnswer {
    const { params } = request.body as {
      params: { service: string; method: string; args: unknown[] }
    }
    const { service, method, args } = params
    request.entry.call = `${service}.${method}`
    const done = (result: unknown) => ({ status: 200, body: { jsonrpc: '2.0', id: 1, result } })
    const failed = (name: string, message: string) => ({
      status: 200,
      body: {
        ...{ jsonrpc: '2.0', id: 1 },
        error: { code: 200, message: 'Odoo Server Error', data: { name, message } },
      },
    })
    if (service === 'common' && method === 'version') {
      return done({ server_version_info: [behaviour.version, 0, 0, 'final', 0, ''] })
    }
    const [database, login, key] = args
    if (database !== ODOO_USER.database) {
      const message = `FATAL:  database "${String(database)}" does not exist`
      return failed('psycopg2.OperationalError', message)
    }
    if (service === 'common' && method === 'authenticate') {
      const isUser = database === ODOO_USER.database && login === ODOO_USER.login && isKey(key)
      return done(isUser ? ODOO_USER.uid : false)
    }
    if (login !== ODOO_USER.uid || !isKey(key)) {
      return failed('odoo.exceptions.AccessDenied', 'Access Denied')
    }
    if (behaviour.rpcErrorOnce) {
      const name = behaviour.rpcErrorOnce
      behaviour.rpcErrorOnce = null
      return failed(name, 'could not serialize access due to concurrent update')
    }
    try {
      const [model, name, , named] = args.slice(3)
      return done(execute(String(model), String(name), named, request))
    } catch (error) {
      if (!(error instanceof OdooError)) throw error
      return failed(`odoo.exceptions.${error.kind}`, error.message)
    }
  }

  const server = await startRpcServer(
    company.clock,
    port,
    ({ path, body }) => path.startsWith('/json/2/') || JSON.stringify(body).includes('execute_kw'),
    (request) => {
      if (request.path === '/jsonrpc') return answerRpc(request)
      if (behaviour.version >= 19 && request.path.startsWith('/json/2/')) {
        return answerJson2(request)
      }
      return { status: 404, body: { message: 'Not found' } }
    },
  )
  return {
    ...server,
    user: ODOO_USER,
    set: (change) => void Object.assign(behaviour, change),
    answerOnce: (status, headers) => server.answerOnce({ status, body: {}, headers }),
  }
}
