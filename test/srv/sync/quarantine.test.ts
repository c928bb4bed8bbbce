import cds from '@sap/cds'
import { QuarantinedRows } from '../../../srv/base/database/entities.ts'
import {
  outdateQuarantined,
  quarantineRows,
  releaseMended,
  releaseQuarantined,
  olderRowIssues,
} from '../../../srv/domain/sync/rejected-rows.ts'
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

it('releases what a later page has, good or deleted', async () => {
  const of = (document: string, more: object = {}) => ({
    ...bad(`A_MaterialDocumentItem(${document})`),
    ...more,
  })
  const record = { location: 'L1', date: '2026-11-01', quantity: 1, price: null, promo: null }
  await cds.tx(() =>
    quarantineRows(
      SOURCE,
      1,
      'demand',
      ['1/1', '1/2', '1/3'].map((each) => of(each)),
    ),
  )
  await cds.tx(() => quarantineRows(SOURCE, 2, 'demand', [of('1/4')]))
  const page = {
    records: ['1/1', '1/4'].map((document) => ({ sku: 'A', document, ...record })),
    deleted: [{ document: '1/2' }],
  }
  await cds.tx(() => releaseMended(SOURCE, 2, 'demand', page))
  expect((await stored()).map(({ place }) => place)).toEqual([
    'A_MaterialDocumentItem(1/3)',
    'A_MaterialDocumentItem(1/4)',
  ])
  await cds.tx(() =>
    quarantineRows(SOURCE, 3, 'skus', [{ ...bad('A_Product(X)'), sku: 'X', location: '' }]),
  )
  const sku = {
    ...{ sku: 'X', name: null, unit: null, supplier: null, unitCost: null, currency: null },
  }
  await cds.tx(() => releaseMended(SOURCE, 4, 'skus', { records: [sku] }))
  expect((await stored()).map(({ place }) => place)).not.toContain('A_Product(X)')
  await cds.tx(() => releaseQuarantined(SOURCE, 9, 'demand'))
})
