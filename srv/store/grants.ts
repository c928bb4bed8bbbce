// What the service's own database user may do on PostgreSQL, where another one owns the schema: everything that the
// service does, but not change what stands in the audit trail. SAP HANA: docs/guides/operations.md.
import type { Database } from '../cap/facade.ts'

/** Tables of the audit trail that are written once. */
const WRITTEN_ONCE = ['restock_auditlog', 'restock_proposalevents', 'restock_evidence']
/** Those of them that are given their place in the chain, once. */
const CHAINED = ['restock_auditlog', 'restock_proposalevents']
/** What CAP keeps of the deployed model: its owner's business. */
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
  ]
  for (const statement of statements) await db.run(statement)
}

/** Once an entry has its place, nobody but the owner changes its row. */
const protectSealed = (table: string) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  ...['reading', 'writing', 'sealing'].map((name) => `DROP POLICY IF EXISTS ${name} ON ${table}`),
  `CREATE POLICY reading ON ${table} FOR SELECT USING (true)`,
  `CREATE POLICY writing ON ${table} FOR INSERT WITH CHECK (true)`,
  `CREATE POLICY sealing ON ${table} FOR UPDATE USING (seq IS NULL) WITH CHECK (true)`,
]
