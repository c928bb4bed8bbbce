import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { databaseFile, holdFile } from '../../../srv/base/database/database-file.ts'
import { temporaryFolder } from '../../support/configure.ts'

const onPosix = process.platform === 'win32' ? it.skip : it

const modeOf = (file: string) => statSync(file).mode & 0o777

/** As the service's database: with a file of the write-ahead log. */
function write(file: string) {
  const database = new DatabaseSync(file)
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)',
  )
  return database
}

const root = cds.root
afterAll(() => (cds.root = root))

describe('the SQLite file', () => {
  onPosix('and what SQLite makes beside it are its owner’s alone', () => {
    const folder = path.join(temporaryFolder, 'new')
    const file = path.join(folder, 'a.sqlite')
    holdFile(file, () => {})
    const database = write(file)
    expect(modeOf(folder)).toBe(0o700)
    for (const end of ['', '-wal', '-shm', '.lock', '.pid']) expect(modeOf(file + end)).toBe(0o600)
    database.close()
  })

  onPosix('of a former version becomes so at the start, with the folder of the service', () => {
    cds.root = temporaryFolder
    const folder = path.join(temporaryFolder, '.restock')
    const file = path.join(folder, 'b.sqlite')
    mkdirSync(folder, { mode: 0o755 })
    const before = write(file)
    for (const end of ['', '-wal', '-shm']) chmodSync(file + end, 0o644)
    holdFile(file, () => {})
    expect(modeOf(folder)).toBe(0o700)
    for (const end of ['', '-wal', '-shm']) expect(modeOf(file + end)).toBe(0o600)
    before.close()
  })

  onPosix('in a folder of somebody else’s leaves that as it is', () => {
    const folder = path.join(temporaryFolder, 'own')
    mkdirSync(folder, { mode: 0o755 })
    chmodSync(folder, 0o755)
    const file = path.join(folder, 'c.sqlite')
    writeFileSync(file, '')
    holdFile(file, () => {})
    expect(modeOf(folder)).toBe(0o755)
    expect(modeOf(file)).toBe(0o600)
  })
})

it('is none where the database is another', () => {
  const isSqlite = (cds.env.requires.db as { kind: string }).kind === 'sqlite'
  expect(databaseFile() === null).toBe(!isSqlite)
})
