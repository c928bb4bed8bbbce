// Whether a login of PostgreSQL could change anything, by itself or by a role that it may take on.
import type { Cells } from './dialect.ts'

const MINE = `mine AS (SELECT oid, rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication
  FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(current_user, oid, 'MEMBER'))`

/** Roles that PostgreSQL brings along and that may change something. */
const WRITERS = [
  ...['pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_maintain'],
  ...['pg_create_subscription', 'pg_signal_backend', 'pg_database_owner'],
]

const RELATIONS = `relations AS (SELECT c.oid, c.relkind, c.relowner, n.nspname || '.' || c.relname AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname !~ '^pg_(toast|temp)')`

const SCHEMAS = `schemas AS (SELECT oid, nspname, nspowner FROM pg_catalog.pg_namespace
  WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_(toast|temp)')`

/** Each gives one row with the right that is too much, as a sentence after "This login", and what takes it away. */
const QUESTIONS = [
  `WITH ${MINE} SELECT format('is a superuser (%s)', rolname) FROM mine WHERE rolsuper LIMIT 1`,
  `WITH ${MINE} SELECT format('may create %s (role %s)',
    CASE WHEN rolcreaterole THEN 'roles' WHEN rolcreatedb THEN 'databases' ELSE 'replicas' END, rolname)
    FROM mine WHERE rolcreaterole OR rolcreatedb OR rolreplication LIMIT 1`,
  `WITH ${MINE} SELECT format('is a member of %s', rolname) FROM mine
    WHERE rolname IN (${WRITERS.map((role) => `'${role}'`).join(', ')}) LIMIT 1`,
  `WITH ${MINE} SELECT format('owns the database %s', d.datname) FROM pg_catalog.pg_database d JOIN mine ON mine.oid = d.datdba LIMIT 1`,
  `WITH ${MINE}, ${SCHEMAS} SELECT format('owns the schema %s', nspname) FROM schemas JOIN mine ON mine.oid = nspowner LIMIT 1`,
  `WITH ${MINE}, ${RELATIONS} SELECT format('owns %s', name) FROM relations JOIN mine ON mine.oid = relowner LIMIT 1`,
  `WITH ${MINE} SELECT format('owns the function %s', p.proname) FROM pg_catalog.pg_proc p JOIN mine ON mine.oid = p.proowner LIMIT 1`,
  `WITH ${MINE}, ${RELATIONS} SELECT format('may %s %s', privilege, name) FROM relations CROSS JOIN mine
    CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS privilege
    WHERE relkind <> 'S' AND pg_catalog.has_table_privilege(mine.oid, relations.oid, privilege) LIMIT 1`,
  `WITH ${MINE}, ${RELATIONS} SELECT format('may %s columns of %s', privilege, name) FROM relations CROSS JOIN mine
    CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES']) AS privilege
    WHERE relkind <> 'S' AND pg_catalog.has_any_column_privilege(mine.oid, relations.oid, privilege) LIMIT 1`,
  `WITH ${MINE}, ${RELATIONS} SELECT format('may %s the sequence %s', privilege, name) FROM
    (SELECT * FROM relations WHERE relkind = 'S' OFFSET 0) AS relations CROSS JOIN mine
    CROSS JOIN unnest(ARRAY['USAGE', 'UPDATE']) AS privilege
    WHERE pg_catalog.has_sequence_privilege(mine.oid, relations.oid, privilege) LIMIT 1`,
  `WITH ${MINE}, ${SCHEMAS} SELECT format('may CREATE in the schema %s', nspname) FROM schemas CROSS JOIN mine
    WHERE pg_catalog.has_schema_privilege(mine.oid, schemas.oid, 'CREATE') LIMIT 1`,
  `WITH ${MINE} SELECT format('may CREATE in the database %s', current_database()) FROM mine
    WHERE pg_catalog.has_database_privilege(mine.oid, current_database(), 'CREATE') LIMIT 1`,
]

/** @returns such as `may INSERT public.orders`; null where it can only read */
export async function excessRight(ask: (sql: string) => Promise<Cells[]>): Promise<string | null> {
  for (const question of QUESTIONS) {
    const [row] = await ask(question)
    if (row) return row[0]!
  }
  return null
}
