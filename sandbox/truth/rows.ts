import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'

/** All rows of a set as objects, in the order of their keys. */
export function* readRows(set: EntitySet): Generator<Row> {
  const rows = set.open()
  const fields = [...set.fields.keys()].map((name) => [name, rows.value(name)] as const)
  for (let slot = 0; slot < set.size(); slot++) {
    if (!rows.load(slot)) continue
    const row: Row = {}
    for (const [name, value] of fields) row[name] = value()
    yield row
  }
}
