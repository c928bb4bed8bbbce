import { Refusal } from '../errors.ts'
import type { AnyEntity } from '../store/entities.ts'
import { personTables } from './person-tables.ts'

/** Rows of one table that an export holds at most. */
const MOST = 100_000

/** All rows that name a person, as JSON by table. @throws Refusal not_found */
export async function exportPerson(user: string): Promise<string> {
  const found: Record<string, unknown[]> = {}
  for (const { entity, own, users, shown } of personTables()) {
    const named = [...own, ...users]
    if (!named.length) continue
    const rows: unknown[] = await SELECT.from(entity as AnyEntity)
      .columns(...shown)
      .where(anyOf(named, user))
      .limit(MOST)
    if (rows.length) found[entity.replace('restock.', '')] = rows
  }
  if (!Object.keys(found).length)
    throw new Refusal('not_found', 'Nothing is stored of this person.')
  return JSON.stringify({ user, exportedAt: new Date().toISOString(), ...found }, null, 2)
}

const anyOf = (elements: string[], val: string) =>
  elements.flatMap((name, at) => [
    ...(at ? ['or'] : []),
    ...[{ ref: [name] }, '=', { val }],
  ]) as never
