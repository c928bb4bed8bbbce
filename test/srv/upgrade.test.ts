import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dropRetired } from '../../srv/upgrade.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-upgrade-'))
const file = path.join(folder, 'old.sqlite')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('drops what an older service had, and nothing else', () => {
  const definitions = { 'restock.Demand': {}, 'restock.PlaceableReversals': {}, 'restock.Skus': {} }
  const before = new DatabaseSync(file)
  before.exec(`CREATE TABLE cds_model (csn TEXT);
    CREATE TABLE restock_Demand (series INTEGER); CREATE TABLE restock_Skus (sku TEXT);
    CREATE VIEW restock_PlaceableReversals AS SELECT series FROM restock_Demand;
    INSERT INTO restock_Skus VALUES ('A')`)
  before.prepare('INSERT INTO cds_model VALUES (?)').run(JSON.stringify({ definitions }))
  before.close()

  dropRetired(file)
  dropRetired(file)

  const after = new DatabaseSync(file)
  const names = after.prepare('SELECT name FROM sqlite_master ORDER BY name').all()
  const { csn } = after.prepare('SELECT csn FROM cds_model').get()!
  const skus = after.prepare('SELECT sku FROM restock_Skus').all()
  after.close()
  expect(names.map(({ name }) => name)).toEqual(['cds_model', 'restock_Skus'])
  expect(JSON.parse(String(csn))).toEqual({ definitions: { 'restock.Skus': {} } })
  expect(skus.map(({ sku }) => sku)).toEqual(['A'])
})

it('leaves alone a file that is not there yet, and one without tables', () => {
  expect(() => dropRetired(path.join(folder, 'none.sqlite'))).not.toThrow()
  const empty = path.join(folder, 'empty.sqlite')
  new DatabaseSync(empty).close()
  expect(() => dropRetired(empty)).not.toThrow()
})
