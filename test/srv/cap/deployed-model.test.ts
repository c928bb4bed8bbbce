import { DatabaseSync } from 'node:sqlite'
import {
  readDeployedModel,
  readModelInUse,
  writeDeployedModel,
} from '../../../srv/base/cap/deployed-model.ts'
import '../../support/server.ts'

const onSqlite = process.env.CDS_CONFIG!.includes('postgres') ? it.skip : it

onSqlite('CAP remembers entities, elements and unique keys', async () => {
  const model = await readModelInUse()
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
