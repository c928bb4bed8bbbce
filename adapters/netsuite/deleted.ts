// What was deleted, as far as the role may read the list of that.
import { Fatal, isUnreadable } from '../errors.ts'
import type { Query } from './suiteql/query.ts'
import { instantLiteral } from './suiteql/wall-clock.ts'
import type { Wall } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'

export interface DeletedRow {
  id: string
  type?: string
  name?: string
}

const DELETED: Query = {
  columns: { id: 'd.recordid', type: 'd.type', name: 'd.name' },
  from: 'deletedrecord d',
  where: [],
  key: ['id'],
}

/** Records of these types, in whatever way the types are spelled; none where the role may not read the list. */
export async function readDeleted(
  system: System,
  from: Wall,
  types: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<DeletedRow[]> {
  const query = { ...DELETED, where: [`d.deleteddate >= ${instantLiteral(from)}`] }
  try {
    const rows = await system.suiteQl.all<DeletedRow>(query, signal)
    return rows.filter(({ type }) => types.has(lettersOf(type)))
  } catch (error) {
    if (isUnreadable(error)) return []
    if (error instanceof Fatal && error.code === 'request_refused') return []
    throw error
  }
}

const lettersOf = (type: string | undefined) => (type ?? '').toLowerCase().replace(/[^a-z]/g, '')
