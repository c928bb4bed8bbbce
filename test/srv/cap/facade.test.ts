import type { EventEmitter } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { serverUrl } from '../../support/server.ts'
import {
  readDeployedModel,
  readModelInUse,
  writeDeployedModel,
} from '../../../srv/base/cap/deployed-model.ts'
import { beforePlugins, facade } from '../../../srv/base/cap/facade.ts'

it.each(['flush', 'shutdown', 'prependListener'] as const)('CAP has cds.%s', (name) => {
  expect(facade[name]).toEqual(expect.any(Function))
})

it('CAP signs callers in, parses addresses and takes loggers as the facade says', () => {
  expect(facade.middlewares.auth()).toEqual(expect.any(Function))
  expect(facade.odata.parse('Proposals?$top=1')).toHaveProperty('SELECT.limit.rows.val', 1)
  expect(facade.log.levels).toMatchObject({ INFO: expect.any(Number), WARN: expect.any(Number) })
  expect(facade.log.Logger).toEqual(expect.any(Function))
})

it('CAP announces the address once it listens', () => {
  expect(facade.server.url).toBe(serverUrl())
})

it('what must stand before plugins comes first', () => {
  const mount = () => {}
  beforePlugins(mount)
  const { listeners } = cds as unknown as EventEmitter
  expect(listeners.call(cds, 'bootstrap')[0]).toBe(mount)
})

it('CAP leaves the end of the service at uncaught errors to us', () => {
  expect(cds.env).toMatchObject({ server: { shutdown_on_uncaught_errors: false } })
})

it('CAP remembers entities, elements and unique keys', async () => {
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
