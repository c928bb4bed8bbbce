// Tried on @sap/cds 10.1: CAP keeps the model that it deployed in the table cds_model, and deploys what differs from it.
import cds from '@sap/cds'

type Database = Pick<cds.DatabaseService, 'run'> & { kind: string }

type Deploy = { schema: (db: Database, ...rest: unknown[]) => Promise<unknown> }

/** What is deployed, with flat names. */
interface DeployedModel {
  definitions: Record<string, { '@cds.persistence.skip'?: boolean | string }>
}

const IS_THERE: Record<string, string> = {
  sqlite: "SELECT 1 FROM sqlite_schema WHERE name = 'cds_model'",
  postgres:
    "SELECT 1 FROM pg_tables WHERE tablename = 'cds_model' AND schemaname = current_schema()",
}

/**
 * An entity that was not stored and is a view now is created without being dropped first: CAP would drop a
 * view that is not there. Unnecessary once its comparison knows what was stored.
 */
export function forgetUnstoredEntities() {
  const { deploy } = cds as unknown as { deploy: Deploy }
  const { schema } = deploy
  deploy.schema = async (db, ...rest) => {
    await forgetUnstored(db)
    return schema(db, ...rest)
  }
}

async function forgetUnstored(db: Database) {
  const isThere = IS_THERE[db.kind]
  if (!isThere) return
  const tables = (await db.run(isThere)) as unknown[]
  if (!tables.length) return
  const [row] = (await db.run('SELECT csn FROM cds_model')) as [{ csn: string }]
  const model = JSON.parse(row.csn) as DeployedModel
  const unstored = Object.keys(model.definitions).filter(
    (name) => model.definitions[name]!['@cds.persistence.skip'] === true,
  )
  if (!unstored.length) return
  for (const name of unstored) delete model.definitions[name]
  const place = db.kind === 'postgres' ? '$1' : '?'
  await db.run(`UPDATE cds_model SET csn = ${place}`, [JSON.stringify(model)])
}
