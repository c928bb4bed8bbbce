// An older release that is started on the tables of a newer one.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isNewer } from '../../../srv/base/database/release.ts'
import { Instance } from '../../support/instance.ts'
import { parseJson } from '../../support/json.ts'
import { Service, withSharedModel } from '../../support/service.ts'
import { isSqlite, runStatement as run, sqliteFile as file } from '../../support/statement.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const release = () => run('SELECT version FROM restock_Releases')
const model = () => run('SELECT csn FROM cds_model')
const { version } = parseJson<{ version: string }>(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
)

let running: Instance | undefined
afterAll(() => running?.end())

it('is refused with both versions and the cure, and changes nothing; who runs already goes on', async () => {
  const first = await Instance.start()
  expect(await release()).toEqual([{ version }])
  // A SQLite file belongs to one process.
  if (isSqlite) await first.end()
  else running = first
  await run("UPDATE restock_Releases SET version = '99.1.0'")
  const before = await model()

  const older = await Service.inTemporaryFolder()
  expect(await older.fail(isSqlite ? { CDS_REQUIRES_DB_CREDENTIALS_URL: file } : {})).toBe(1)
  expect(older.log).toContain(
    `The database is of Restock 99.1.0, and this is the older ${version}, which cannot work on it: start 99.1.0, or restore a backup of ${version}.`,
  )
  expect(older.log).not.toMatch(/\n\s+at |Restock serves/)
  await older.clean()
  expect(await release()).toEqual([{ version: '99.1.0' }])
  if (isSqlite) expect(await model()).toEqual(before)
  else expect((await first.call('GET', '/keys')).status).toBe(200)
})

const onPostgres = isSqlite ? it.skip : it

onPostgres('works on them where the newer one says so, and leaves them as they are', async () => {
  await run(`UPDATE restock_Releases SET worksFrom = '${version}'`)
  const before = await model()
  const older = await Instance.start()
  expect((await older.call('GET', '/keys')).status).toBe(200)
  await older.end()
  expect(await release()).toEqual([{ version: '99.1.0' }])
  expect(await model()).toEqual(before)
})

onPostgres('is not deployed either; a deployment of the same or a newer one is noted', async () => {
  const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...inherited } = process.env
  const env = { ...inherited, ...withSharedModel() }
  const deploy = () =>
    execFileSync('sh', ['-c', 'npm run --silent deploy 1>&2'], { cwd: root, env, stdio: 'pipe' })
  expect(deploy).toThrow(/The database is of Restock 99\.1\.0/)
  await run("UPDATE restock_Releases SET version = '0.9.0'")
  deploy()
  expect(await release()).toEqual([{ version }])
})

it.each([
  ['1.0.1', '1.0.0', true],
  ['1.10.0', '1.9.3', true],
  ['2.0.0', '10.0.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0-rc.1', '1.0.0', false],
])('%s is newer than %s: %s', (one, other, expected) => {
  expect(isNewer(one, other)).toBe(expected)
})
