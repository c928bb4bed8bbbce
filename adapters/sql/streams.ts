import type { Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import { changesStream } from './changes.ts'
import { readWhole } from './snapshot.ts'
import type { System } from './system.ts'
import { type View, VIEWS } from './views.ts'

export const streamsOf = (system: System): Stream[] =>
  (VIEWS as readonly View[]).map((view) => streamOf(system, view))

function streamOf<K extends RecordKind>(system: System, view: View<K>): Stream<K> {
  const isRequired = view.record === 'demand'
  if (isByChanges(system, view)) return changesStream(system, view, isRequired)
  return snapshotStream(
    view.record,
    (signal, known) => readWhole(system, view, isRequired, signal, known),
    { isRequired, isOptional: !isRequired },
  )
}

/** Whether only what has changed is read of a view. */
export function isByChanges({ options }: System, { changes }: Pick<View, 'changes'>): boolean {
  if (changes === null || options.changed_at === 'none') return false
  return changes === 'movements' || options.changed_at === 'all'
}
