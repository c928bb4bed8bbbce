// Stores the release that made the tables. An older release refuses to work on them, since it cannot read what the newer one
// has converted. An instance that is already running continues.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import type { Database } from '../cap/facade.ts'
import { SettingFault } from '../settings/config.ts'
import { Releases } from './entities.ts'

const ID = 1
const TABLE = 'restock_Releases'
const READ = `SELECT version FROM ${TABLE} WHERE ID = ${ID}`

const ownVersion = () =>
  (createRequire(import.meta.url)(`${cds.root}/package.json`) as { version: string }).version

/** Before the deployment, which would take away what the older model does not have. @throws SettingFault */
export function assertReleaseOfFile(file: string) {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file)
  try {
    const isThere = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(TABLE)
    assertNotOlder(isThere && database.prepare(READ).get())
  } finally {
    database.close()
  }
}

/** Before anything is deployed to PostgreSQL, and before a start reads anything. @throws SettingFault */
export async function assertRelease(db: Database = cds.db) {
  assertNotOlder(await findRelease(db))
}

const IS_THERE: Record<string, string> = {
  sqlite: `SELECT 1 FROM sqlite_master WHERE name = '${TABLE}'`,
  postgres: `SELECT 1 FROM pg_tables WHERE tablename = lower('${TABLE}') AND schemaname = current_schema()`,
}
/** The error of SAP HANA for a missing table, and of PostgreSQL for one that may not be read; a later check reports that. */
const NOTHING_TO_READ = [259, '42501']

async function findRelease(db: Database): Promise<VersionRow> {
  const isThere = IS_THERE[db.kind]
  if (isThere && !((await db.run(isThere)) as unknown[]).length) return undefined
  try {
    const [row] = (await db.run(READ)) as VersionRow[]
    return row
  } catch (error) {
    if (NOTHING_TO_READ.includes((error as { code: number | string }).code)) return undefined
    throw error
  }
}

/** HANA answers names in capitals. */
type VersionRow = { version?: unknown; VERSION?: unknown } | undefined

function assertNotOlder(row: VersionRow) {
  const found = row?.version ?? row?.VERSION
  const own = ownVersion()
  if (typeof found !== 'string' || !isNewer(found, own)) return
  throw new SettingFault(
    `The database is of Restock ${found}, and this is the older ${own}, which cannot work on it: start ${found}, or restore a backup of ${own}.`,
  )
}

export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split(/[^\d]+/).map(Number)) as [
    number[],
    number[],
  ]
  const at = [0, 1, 2].find((place) => (a[place] ?? 0) !== (b[place] ?? 0))
  return at !== undefined && (a[at] ?? 0) > (b[at] ?? 0)
}

/** By the connection that has deployed to PostgreSQL. */
export const noteDeployment = (db: Database) =>
  db.run(
    `INSERT INTO ${TABLE} (ID, version, deployedAt) VALUES (${ID}, $1, $2)
     ON CONFLICT (ID) DO UPDATE SET version = excluded.version, deployedAt = excluded.deployedAt`,
    [ownVersion(), new Date().toISOString()],
  )

/** At a start that was not refused. */
export async function noteRelease() {
  const [version, deployedAt] = [ownVersion(), new Date().toISOString()]
  const row = await SELECT.one.from(Releases).where({ ID })
  if (row?.version !== version) await UPSERT.into(Releases).entries({ ID, version, deployedAt })
}
