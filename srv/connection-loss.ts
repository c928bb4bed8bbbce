import type { EventEmitter } from 'node:events'
import cds from '@sap/cds'

interface Factory {
  create(tenant?: string): Promise<unknown>
}

/**
 * PostgreSQL tells an idle connection's end by an 'error' event, which nobody hears and which would
 * end the process; the next statement opens a new connection, and /health says so meanwhile.
 */
export function surviveConnectionLoss() {
  const { _factory: factory } = (cds.db as unknown as { pools: { _factory: Factory } }).pools
  const create = factory.create.bind(factory)
  factory.create = async (tenant) => {
    const connection = await create(tenant)
    const emitter = connection as Partial<EventEmitter>
    emitter.on?.('error', (error) => cds.log('db').warn('a connection was lost:', error.message))
    return connection
  }
}
