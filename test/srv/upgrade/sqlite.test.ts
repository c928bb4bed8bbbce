import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { jest } from '@jest/globals'
import { type DeployableModel, facade } from '../../../srv/base/cap/facade.ts'
import { noteRelease } from '../../../srv/base/database/release.ts'
import { addMissingKeys, dropFromFile } from '../../../srv/base/upgrade/index.ts'
import '../../support/server.ts'
import { runSql } from '../../support/rows.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-upgrade-'))
const file = path.join(folder, 'old.sqlite')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('drops what an older service had, and nothing else', () => {
  const definitions = {
    'restock.Demand': {},
    'restock.PlaceableReversals': {},
    'restock.Skus': { elements: { sku: {}, seenIn: {} } },
  }
  const before = new DatabaseSync(file)
  before.exec(`CREATE TABLE cds_model (csn TEXT);
    CREATE TABLE restock_Demand (series INTEGER); CREATE TABLE restock_Skus (sku TEXT, seenIn INTEGER);
    CREATE VIEW restock_PlaceableReversals AS SELECT series FROM restock_Demand;
    INSERT INTO restock_Skus VALUES ('A', 7)`)
  before.prepare('INSERT INTO cds_model VALUES (?)').run(JSON.stringify({ definitions }))
  before.close()

  dropFromFile(file)
  dropFromFile(file)

  const after = new DatabaseSync(file)
  const names = after.prepare('SELECT name FROM sqlite_master ORDER BY name').all()
  const { csn } = after.prepare('SELECT csn FROM cds_model').get()!
  const skus = after.prepare('SELECT * FROM restock_Skus').all()
  after.close()
  expect(names.map(({ name }) => name)).toEqual(['cds_model', 'restock_Skus'])
  expect(JSON.parse(String(csn))).toEqual({
    definitions: { 'restock.Skus': { elements: { sku: {} } } },
  })
  expect(skus.map((row) => ({ ...row }))).toEqual([{ sku: 'A' }])
})

it('leaves alone a file that is not there yet, and one without tables', () => {
  expect(() => dropFromFile(path.join(folder, 'none.sqlite'))).not.toThrow()
  const empty = path.join(folder, 'empty.sqlite')
  new DatabaseSync(empty).close()
  expect(() => dropFromFile(empty)).not.toThrow()
})

it('works out no change of the tables that it has, and does once CAP remembers another model', async () => {
  const model = cds.minify(await cds.load('*'))
  const steps = cds.compile.to.sql as unknown as { delta: (...args: unknown[]) => unknown }
  const delta = jest.spyOn(steps, 'delta')
  const deploy = () => facade.deploy.schema(cds.db, model as DeployableModel, {})

  expect(await deploy()).toBe(true)
  expect(delta).not.toHaveBeenCalled()

  const [{ csn }] = (await runSql<{ csn: string }>('SELECT csn FROM cds_model')) as [
    { csn: string },
  ]
  await cds.run('UPDATE cds_model SET csn = ?', [`${csn} `])
  await deploy()
  expect(delta).toHaveBeenCalledTimes(1)
  await noteRelease()
  await deploy()
  expect(delta).toHaveBeenCalledTimes(1)
})

const onSqlite = process.env.CDS_CONFIG!.includes('postgres') ? it.skip : it

onSqlite('gives tables of an older service the unique keys that they lack', async () => {
  const keys = async () =>
    (
      await runSql<{ name: string }>(
        "SELECT name FROM pragma_index_list('restock_Series') ORDER BY name",
      )
    ).map(({ name }) => name)
  const whole = await keys()
  await addMissingKeys()
  expect(await keys()).toEqual(whole)

  const [table] = await runSql<{ sql: string }>(
    "SELECT sql FROM sqlite_master WHERE name = 'restock_Series'",
  )
  await cds.run('ALTER TABLE restock_Series RENAME TO newer')
  await cds.run(table!.sql.replace(/,\s*CONSTRAINT \w+ UNIQUE \([^)]*\)/g, ''))
  expect(await keys()).not.toEqual(whole)
  await addMissingKeys()
  await addMissingKeys()
  expect(await keys()).toContain('restock_Series_pair')
  const row = (ID: number) =>
    cds.run(`INSERT INTO restock_Series (ID, sku, location, source_ID) VALUES (${ID}, 'A', 'L', 1)`)
  await row(1)
  await expect(row(2)).rejects.toThrow(/UNIQUE/)
})
