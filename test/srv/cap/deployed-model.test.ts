import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import {
  readDeployedModel,
  readModelInUse,
  writeDeployedModel,
} from '../../../srv/cap/deployed-model.ts'
import '../../support/server.ts'

it('CAP remembers entities, elements and unique keys of a SQLite database, and nothing of others', async () => {
  const model = await readModelInUse()
  if (cds.db.kind !== 'sqlite') return expect(model).toBeNull()
  expect(model!.definitions['restock.Proposals']!.elements).toHaveProperty('quantity')
  const keys = Object.values(model!.definitions).flatMap(({ $tableConstraints }) =>
    Object.values($tableConstraints?.unique ?? {}),
  )
  expect(keys[0]!.paths[0]!.ref).toEqual([expect.any(String)])
})

it('what is changed is what CAP remembers', () => {
  const database = new DatabaseSync(':memory:')
  expect(readDeployedModel(database)).toBeNull()
  database.exec('CREATE TABLE cds_model (csn TEXT)')
  expect(() => writeDeployedModel(database, { definitions: {} })).toThrow('one row')
  database.exec(`INSERT INTO cds_model VALUES ('{}')`)
  expect(() => readDeployedModel(database)).toThrow('definitions')
  writeDeployedModel(database, { definitions: { 'restock.Skus': {} } })
  expect(readDeployedModel(database)).toEqual({ definitions: { 'restock.Skus': {} } })
  database.close()
})
