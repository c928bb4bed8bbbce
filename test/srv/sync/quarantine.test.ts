import cds from '@sap/cds'
import { QuarantinedRows } from '../../../srv/store/entities.ts'
import {
  outdateQuarantined,
  quarantineRows,
  releaseQuarantined,
  olderRowIssues,
} from '../../../srv/sync/quarantine.ts'
import '../../support/server.ts'

const { SELECT } = cds.ql

const SOURCE = 700
const bad = (place: string) => ({
  ...{ code: 'invalid_value', place, target: 'BaseUnit' },
  ...{ message: 'BaseUnit must not be empty', excerpt: '{}' },
})
const stored = () =>
  SELECT.from(QuarantinedRows)
    .columns('place', 'sync')
    .where({ source_ID: SOURCE })
    .orderBy('place')

it('keeps a bad row until it is read again, and says so at every sync', async () => {
  await cds.tx(() => quarantineRows(SOURCE, 1, 'skus', [bad('A_Product(1)'), bad('A_Product(2)')]))
  expect(await olderRowIssues(SOURCE, 1)).toEqual([])
  expect(await olderRowIssues(SOURCE, 2)).toMatchObject([
    { code: 'rows_quarantined', stream: 'skus', message: expect.stringContaining(': 2.') },
  ])
  await cds.tx(() => quarantineRows(SOURCE, 2, 'skus', [bad('A_Product(2)')]))
  expect(await stored()).toEqual([
    { place: 'A_Product(1)', sync: 1 },
    { place: 'A_Product(2)', sync: 2 },
  ])
  await cds.tx(() => releaseQuarantined(SOURCE, 3, 'skus'))
  expect(await stored()).toEqual([])
})

it('keeps a bad row once where its sync reads it again, and tells of it where it does not', async () => {
  await cds.tx(() => quarantineRows(SOURCE, 1, 'skus', [bad('A_Product(1)'), bad('A_Product(2)')]))
  await cds.tx(() => outdateQuarantined(SOURCE, 1, 'skus'))
  await cds.tx(() => quarantineRows(SOURCE, 1, 'skus', [bad('A_Product(2)')]))
  expect(await stored()).toEqual([
    { place: 'A_Product(1)', sync: 0 },
    { place: 'A_Product(2)', sync: 1 },
  ])
  expect(await olderRowIssues(SOURCE, 1)).toMatchObject([
    { code: 'rows_quarantined', message: expect.stringContaining(': 1.') },
  ])
  await cds.tx(() => releaseQuarantined(SOURCE, 3, 'skus'))
})
