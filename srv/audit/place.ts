import cds from '@sap/cds'
import type { Entry, Trail } from './entries.ts'

type Place = Pick<Entry, 'ID' | 'seq' | 'previousHash' | 'hash'>

// CAP's UPSERT writes every column, which the service's own database user may not (srv/store/grants.ts).
const STATEMENTS: Record<string, (table: string) => string> = {
  sqlite: (table) => `UPDATE ${table} AS e SET seq = n.value ->> 'seq',
    previousHash = n.value ->> 'previousHash', hash = n.value ->> 'hash'
    FROM json_each(?) AS n WHERE e.ID = n.value ->> 'ID'`,
  postgres: (table) => `UPDATE ${table} AS e SET seq = (n ->> 'seq')::integer,
    previousHash = n ->> 'previousHash', hash = n ->> 'hash'
    FROM json_array_elements($1::json) AS n WHERE e.ID = n ->> 'ID'`,
}

/** Gives entries of one trail their places. */
export async function placeEntries({ entity }: Trail, entries: Entry[]) {
  if (!entries.length) return
  const places = entries.map(({ ID, seq, previousHash, hash }): Place => {
    return { ID, seq, previousHash, hash }
  })
  const statement = STATEMENTS[cds.db.kind]?.(entity.replaceAll('.', '_'))
  await (statement
    ? cds.run(statement, [JSON.stringify(places)])
    : UPSERT.into(entity).entries(places))
}
