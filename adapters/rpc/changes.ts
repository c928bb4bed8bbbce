import type { ModelReader } from './reader.ts'
import type { Domain } from './reader.ts'

/** Any of these times is at or after this one; a condition of a row's own times or those of what belongs to it. */
export const changedSince = (
  reader: ModelReader,
  fields: readonly string[],
  from: number,
): Domain => {
  const instant = reader.instant(from)
  return [reader.anyOf(...fields.map((field) => [[field, '>=', instant]]))]
}
