import type { Adapter, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { snapshotStream } from '../rows/pages.ts'
import { changesStream } from './changes.ts'
import { checkStreams, rightOf } from './check.ts'
import { sqlOptions } from './options.ts'
import { PLAIN_FORM } from '../csv/order-form.ts'
import { readWhole } from './snapshot.ts'
import { System } from './system.ts'
import { isByChanges, type View, VIEWS } from './views.ts'

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
    orderForm: PLAIN_FORM,
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

const streamsOf = (system: System): Stream[] =>
  (VIEWS as readonly View[]).map((view) => streamOf(system, view))

function streamOf<K extends RecordKind>(system: System, view: View<K>): Stream<K> {
  const isRequired = view.record === 'demand'
  if (isByChanges(system.options, view)) return changesStream(system, view, isRequired)
  return snapshotStream(
    view.record,
    (signal, known) => readWhole(system, view, isRequired, signal, known),
    { isRequired, isOptional: !isRequired },
  )
}
