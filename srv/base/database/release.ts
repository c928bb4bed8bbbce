// Stores the release that made the tables, and the oldest one that can work on them. One that is older still refuses to, since it
// cannot read what the newer one has converted. An instance that is already running continues.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { modelDeployed } from '../cap/deployed-model.ts'
import { type Database, facade } from '../cap/facade.ts'
import { SettingFault } from '../settings/config.ts'
import { Releases } from './entities.ts'

const ID = 1
const TABLE = 'restock_Releases'
/** The column `worksFrom` is newer than the table. */
const READ = `SELECT * FROM ${TABLE} WHERE ID = ${ID}`

/**
 * The oldest release that can work on the tables of this one: the one before, unless a table or column is taken away, is
 * converted or gets another meaning. Docs: docs/decisions/0073-updates-without-a-night.md
 */
const WORKS_FROM = '1.1.0'

export const ownVersion = () =>
  (createRequire(import.meta.url)(`${cds.root}/package.json`) as { version: string }).version

/** Before the deployment, which would take away what the older model does not have. @throws SettingFault */
export function assertReleaseOfFile(file: string) {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file)
  try {
    const isThere = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(TABLE)
    // It deploys, as no older release may.
    const found = readRelease(isThere && database.prepare(READ).get())
    if (found) assertNotOlder(found)
  } finally {
    database.close()
  }
}

/** Before anything is deployed to PostgreSQL. @throws SettingFault */
export async function assertMayDeploy(db: Database) {
  const found = await findRelease(db)
  if (found) assertNotOlder(found)
}

/** From now on a start makes no tables where those of a newer release are. Production's makes none at all. */
export function keepNewerTables() {
  const { schema } = facade.deploy
  facade.deploy.schema = async (db, ...rest) => {
    const found = await findRelease(db)
    // CAP fills the code lists where tables were made, by what this answers.
    return found && isNewer(found.version, ownVersion()) ? false : schema(db, ...rest)
  }
}

/** Before a start reads anything: of a newer release's tables too, where that one says so. @throws SettingFault */
export async function assertMayWork(db: Database = cds.db) {
  const found = await findRelease(db)
  const works = found?.worksFrom && !isNewer(found.worksFrom, ownVersion())
  if (found && !works) assertNotOlder(found)
}

const IS_THERE: Record<string, string> = {
  sqlite: `SELECT 1 FROM sqlite_master WHERE name = '${TABLE}'`,
  postgres: `SELECT 1 FROM pg_tables WHERE tablename = lower('${TABLE}') AND schemaname = current_schema()`,
}
/** The error of SAP HANA for a missing table, and of PostgreSQL for one that may not be read; a later check reports that. */
const NOTHING_TO_READ = [259, '42501']

export const readNotedModel = async (db: Database) => (await findRelease(db))?.model ?? null

async function findRelease(db: Database): Promise<Release | undefined> {
  const isThere = IS_THERE[db.kind]
  if (isThere && !((await db.run(isThere)) as unknown[]).length) return undefined
  try {
    const [row] = (await db.run(READ)) as Record<string, unknown>[]
    return readRelease(row)
  } catch (error) {
    if (NOTHING_TO_READ.includes((error as { code: number | string }).code)) return undefined
    throw error
  }
}

interface Release {
  version: string
  /** Null where a release has made the tables that let no older one work on them. */
  worksFrom: string | null
  /** Tells the model that a start has deployed to a SQLite file. */
  model: string | null
}

/** Databases answer names as they are, in small letters, or in capitals. */
function readRelease(row: Record<string, unknown> | undefined): Release | undefined {
  const byName = new Map(
    Object.entries(row ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const textOf = (name: string) => {
    const value = byName.get(name)
    return typeof value === 'string' ? value : null
  }
  const version = textOf('version')
  return version === null
    ? undefined
    : { version, worksFrom: textOf('worksfrom'), model: textOf('model') }
}

function assertNotOlder({ version }: Release) {
  const own = ownVersion()
  if (!isNewer(version, own)) return
  throw new SettingFault(
    `The database is of Restock ${version}, and this is the older ${own}, which cannot work on it: start ${version}, or restore a backup of ${own}.`,
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
    `INSERT INTO ${TABLE} (ID, version, worksFrom, deployedAt) VALUES (${ID}, $1, $2, $3)
     ON CONFLICT (ID) DO UPDATE
     SET version = excluded.version, worksFrom = excluded.worksFrom, deployedAt = excluded.deployedAt`,
    [ownVersion(), WORKS_FROM, new Date().toISOString()],
  )

/** At a start that was not refused; that of an older release changes nothing. */
export async function noteRelease() {
  const release = { version: ownVersion(), worksFrom: WORKS_FROM, model: await modelDeployed() }
  const row = await SELECT.one.from(Releases).where({ ID })
  const names = Object.keys(release) as (keyof typeof release)[]
  const isNoted = names.every((name) => row?.[name] === release[name])
  if (isNoted || (row?.version && isNewer(row.version, release.version))) return
  await UPSERT.into(Releases).entries({ ID, ...release, deployedAt: new Date().toISOString() })
}
