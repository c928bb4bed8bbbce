import type { RecordKind, RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'
import type { View } from './views.ts'

/** @throws BadValue that says what the row is about */
export function mapRow<K extends RecordKind>(view: View<K>, row: Row): RecordOf<K> {
  try {
    return view.map(row)
  } catch (error) {
    if (error instanceof BadValue) error.about = row.about()
    throw error
  }
}
