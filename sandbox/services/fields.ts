import type { Edm, Field } from '../odata/set.ts'

/** `{ String: 'A B', Decimal: 'C' }` as fields in that order. */
export function fieldMap(
  spec: Partial<Record<Edm, string>>,
  flags: { sortable?: boolean; filterable?: boolean } = {},
): Map<string, Field> {
  const fields = new Map<string, Field>()
  const { sortable = true, filterable = true } = flags
  for (const [edm, names] of Object.entries(spec)) {
    for (const name of names.split(' ')) {
      fields.set(name, { name, edm: edm as Edm, sortable, filterable })
    }
  }
  return fields
}
