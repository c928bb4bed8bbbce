// What the service's own database user may do on PostgreSQL, where another one owns the schema: everything that the
// service does, but not change what stands in the audit trail. SAP HANA: docs/guides/operations.md.
import cds from '@sap/cds'
import type { Database } from '../cap/facade.ts'

/** Tables of the audit trail that are written once. */
const WRITTEN_ONCE = [
  ...['restock_auditlog', 'restock_proposalevents', 'restock_evidence'],
  'restock_auditredactions',
]
/** Those that get their position in the chain later, once. */
const CHAINED = ['restock_auditlog', 'restock_proposalevents']
/** The model that CAP stores at deployment, which only the owner changes. */
const READ_ONLY = ['cds_model']

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Grants the rights that the service needs, and takes all others away. Repeated after each deployment: new tables have no
 * grants yet. Views are read only, since PostgreSQL changes the tables behind a view with the rights of the view's owner.
 */
export async function grantToService(db: Database, user: string) {
  const tables = (await db.run(
    'SELECT tablename AS name, current_schema() AS schema FROM pg_tables WHERE schemaname = current_schema()',
  )) as { name: string; schema: string }[]
  const schema = quoted(tables[0]!.schema)
  const to = quoted(user)
  const changeable = tables
    .map(({ name }) => name)
    .filter((name) => !WRITTEN_ONCE.includes(name) && !READ_ONLY.includes(name))
  const statements = [
    `REVOKE CREATE ON SCHEMA ${schema} FROM ${to}, PUBLIC`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to}, PUBLIC`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${to}`,
    `GRANT INSERT, UPDATE, DELETE ON ${changeable.map(quoted).join(', ')} TO ${to}`,
    `GRANT INSERT ON ${WRITTEN_ONCE.join(', ')} TO ${to}`,
    `GRANT UPDATE (seq, previoushash, hash) ON ${CHAINED.join(', ')} TO ${to}`,
    ...CHAINED.flatMap(protectSealed),
    redactFunction(schema),
    `REVOKE ALL ON FUNCTION restock_redact FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION restock_redact TO ${to}`,
  ]
  for (const statement of statements) await db.run(statement)
}

/** After an entry has its position in the chain, only the owner can change its row. */
const protectSealed = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  ...['reading', 'writing', 'sealing'].map((name) => `DROP POLICY IF EXISTS ${name} ON ${table}`),
  `CREATE POLICY reading ON ${table} FOR SELECT USING (true)`,
  `CREATE POLICY writing ON ${table} FOR INSERT WITH CHECK (true)`,
  `CREATE POLICY sealing ON ${table} FOR UPDATE USING (seq IS NULL) WITH CHECK (true)`,
]

/** Whether the service runs as a user who may not update the audit trail. */
export async function mayNotChangeTrail(): Promise<boolean> {
  if (cds.db.kind !== 'postgres') return false
  const [row] = (await cds.run(
    "SELECT has_table_privilege('restock_auditlog', 'UPDATE') AS may",
  )) as { may: boolean }[]
  return !row!.may
}

/** Trail, entry, id, pseudonym, and the columns as JSON. */
export const REDACT = 'SELECT restock_redact($1, $2, $3, $4, $5::json)'

/**
 * For the erasure of a person: replaces an id by a pseudonym in one entry, with the rights of the owner, and nothing else.
 * The HMAC of `AuditRedactions` proves that the service replaced the right id.
 */
const redactFunction = (schema: string) => `
CREATE OR REPLACE FUNCTION restock_redact(trail text, entry text, name text, pseudonym text, given json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $body$
DECLARE
  changed integer;
BEGIN
  IF pseudonym !~ '^erased-[0-9a-f]{16}$' OR name = '' THEN
    RAISE EXCEPTION 'not a pseudonym';
  END IF;
  IF trail = 'act' THEN
    UPDATE restock_auditlog AS e SET actor = given ->> 'actor', object = given ->> 'object', detail = given ->> 'detail'
    WHERE e.id = entry AND replace(given ->> 'actor', pseudonym, name) IS NOT DISTINCT FROM e.actor
      AND replace(given ->> 'object', pseudonym, name) IS NOT DISTINCT FROM e.object
      AND replace(given ->> 'detail', pseudonym, name) IS NOT DISTINCT FROM e.detail;
  ELSE
    IF given ->> 'content' IS NOT NULL THEN
      UPDATE restock_evidence AS e SET content = given ->> 'content'
      WHERE e.event = entry AND replace(given ->> 'content', pseudonym, name) = e.content
        AND encode(sha256(convert_to(given ->> 'content', 'UTF8')), 'hex') = given ->> 'evidence';
      GET DIAGNOSTICS changed = ROW_COUNT;
      IF changed <> 1 THEN RAISE EXCEPTION 'more than an id would change'; END IF;
    END IF;
    UPDATE restock_proposalevents AS e SET actor = given ->> 'actor', onbehalfof = given ->> 'onBehalfOf',
      comment = given ->> 'comment', evidence = given ->> 'evidence'
    WHERE e.id = entry AND replace(given ->> 'actor', pseudonym, name) IS NOT DISTINCT FROM e.actor
      AND replace(given ->> 'onBehalfOf', pseudonym, name) IS NOT DISTINCT FROM e.onbehalfof
      AND replace(given ->> 'comment', pseudonym, name) IS NOT DISTINCT FROM e.comment
      AND (given ->> 'content' IS NOT NULL OR given ->> 'evidence' IS NOT DISTINCT FROM e.evidence);
  END IF;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> 1 THEN RAISE EXCEPTION 'more than an id would change'; END IF;
END $body$`
