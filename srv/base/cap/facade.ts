// What CAP's types (@cap-js/cds-types 0.18) do not know of its facade, and this service uses; public unless said.
// Tried with @sap/cds 10.1.1. Needed until the types know it.
import type { Server } from 'node:http'
import type { SQLInputValue } from 'node:sqlite'
import cds from '@sap/cds'
import type {
  Application,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'express'
import type { ClientConfig } from 'pg'

/** A database service while its schema is made. */
export type Database = Pick<cds.DatabaseService, 'run'> & { kind: string }

/** What is prepared in a transaction. */
interface Statement {
  run(values: SQLInputValue[]): Promise<{ changes: number }>
}

/** The database service, and each transaction of it: of @cap-js/db-service 3, mostly not public. */
interface DatabaseService {
  tx(context: unknown): DatabaseService
  run(sql: string): Promise<unknown>
  infer(query: object): unknown
  cqn2sql(query: object): { sql: string; values?: SQLInputValue[] }
  prepare(sql: string): Statement | Promise<Statement>
  /** The driver's own connection, once a transaction has begun. */
  dbc?: unknown
  options: { credentials?: { [name: string]: string | undefined }; client?: ClientConfig }
  acquire(): Promise<unknown>
  disconnect(tenant?: string): Promise<void>
}

/** A model as the compiler made it. */
export interface DeployableModel {
  meta?: { creator?: string }
}

interface Facade {
  db: DatabaseService
  /** Makes a query of its plain form. */
  ql(query: object): object
  plugins: Promise<unknown>
  deploy: {
    /** Makes or upgrades the schema of a database, and writes the data of code lists. */
    (model: '*'): { to(db: object): Promise<{ disconnect(): Promise<void> }> }
    /** Not public: the first of the two. */
    schema(db: Database, model?: DeployableModel, ...rest: unknown[]): Promise<unknown>
  }
  /** Takes up what waits in a queue. */
  flush(queue: string): Promise<void>
  /** Ends the service, with code 1 where there is an error. */
  shutdown(error?: Error): Promise<void>
  middlewares: {
    /** A new handler that signs the caller in as configured. */
    auth(): (req: Request, res: Response, next: NextFunction) => unknown
    /** Puts a handler among those before every service. */
    add(handler: RequestHandler, place: { after: 'auth' | 'ctx_model' }): void
    /** What answers the errors of every service. */
    after: (RequestHandler | ErrorRequestHandler)[]
  }
  /** Serves; the address is there once the service listens. */
  server: { (options: object): Promise<Server>; url?: string }
  /** Not public: parses the address of each OData request, also of those within a batch. */
  odata: { parse(url: string, options?: object): unknown }
  log: {
    levels: Record<string, number>
    Logger: (label: string, level: number) => object
    /** Not public: all that were made. */
    loggers: Record<string, { label: string; level: number }>
  }
  /** The facade is an EventEmitter of Node's. */
  prependListener(event: 'bootstrap', listener: (app: Application) => void): unknown
}

export const facade = cds as unknown as Facade

/** Handlers that must stand before those of plugins, which are loaded earlier. */
export const beforePlugins = (mount: (app: Application) => void) =>
  facade.prependListener('bootstrap', mount)

// CAP listens at all addresses of the machine, by `app.listen(port)`. Tried with @sap/cds 10.1.1.
// Needed until it takes a host by configuration.

/** @param host undefined for all addresses */
export function listenAt(app: Application, host: string | undefined) {
  if (host === undefined) return
  const listen = app.listen.bind(app)
  Object.assign(app, { listen: (port: number) => listen(port, host) })
}
