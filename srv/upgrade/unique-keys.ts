// CAP adds what is new to a SQLite database, but for unique keys.
import cds from '@sap/cds'
import { type DeployedModel, readModelInUse } from '../cap/deployed-model.ts'

const LOG = cds.log('upgrade')

/** Adds the unique keys that tables of an older service lack, after the deployment; the others are left alone. */
export async function addMissingKeys() {
  if (cds.db.kind !== 'sqlite') return
  for (const { name, table, columns } of await missingKeys()) {
    try {
      await cds.tx(() =>
        cds.run(`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`),
      )
      LOG.info(`${table} has its key ${name} now`)
    } catch (error) {
      LOG.error(`${table} holds rows that are equal in ${columns}, which must be unique:`, error)
    }
  }
}

interface Key {
  name: string
  table: string
  /** Joined by a comma. */
  columns: string
}

async function missingKeys(): Promise<Key[]> {
  const model = await readModelInUse()
  if (!model) return []
  const present = (await cds.run(UNIQUE_KEYS)) as { at: string; columns: string }[]
  const known = new Set(present.map(({ at, columns }) => `${at} ${columns}`.toLowerCase()))
  return keysOf(model).filter(
    ({ table, columns }) => !known.has(`${table} ${columns}`.toLowerCase()),
  )
}

const UNIQUE_KEYS = `SELECT at, group_concat(name, ',') AS columns FROM
  (SELECT t.name AS at, k.name AS keyName, c.name AS name
   FROM sqlite_master AS t, pragma_index_list(t.name) AS k, pragma_index_info(k.name) AS c
   WHERE t.type = 'table' AND k."unique" ORDER BY k.name, c.seqno)
  GROUP BY at, keyName`

const keysOf = ({ definitions }: DeployedModel): Key[] =>
  Object.entries(definitions).flatMap(([entity, { $tableConstraints }]) =>
    Object.entries($tableConstraints?.unique ?? {}).map(([key, { paths }]) => {
      const table = entity.replaceAll('.', '_')
      return {
        name: `${table}_${key}`,
        table,
        columns: paths.map(({ ref }) => ref.join('_')).join(),
      }
    }),
  )
