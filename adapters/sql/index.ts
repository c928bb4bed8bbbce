import type { Adapter } from '../adapter.ts'
import { checkStreams, rightOf } from './check.ts'
import { sqlOptions } from './options.ts'
import { streamsOf } from './streams.ts'
import { System } from './system.ts'
import { type View, VIEWS } from './views.ts'

/** Reads views that a customer makes in a database: README.md. */
export function sqlAdapter(): Adapter {
  return {
    type: 'sql',
    auth(connection) {
      new System(connection)
      return { kind: 'basic' }
    },
    catalog: 'partial',
    options: sqlOptions,
    fields: {
      ...{ clientId: 'required', clientSecret: 'required' },
      options: ['schema', 'changed_at'],
    },
    neededRights(connection) {
      const system = new System(connection)
      return (VIEWS as readonly View[]).map((view) => rightOf(system, view))
    },
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
