// SKUs that the ERP calls otherwise than before.
import cds from '@sap/cds'
import type { AnyRecord } from '../../../adapters/records.ts'
import { RecordsRead } from '../../../srv/base/database/records/records-read.ts'
import {
  ForecastOverrides,
  Planning,
  Policies,
  Receipts,
  Series,
  Skus,
} from '../../../srv/base/database/entities.ts'
import '../../support/server.ts'

const { DELETE, INSERT, SELECT } = cds.ql
const GUARD = { share: 0.5, minRows: 4 }

let source = 900
let reads = 9_000
beforeEach(() => source++)

const skuOf = (identity: string | null, sku: string, name = `Product ${identity}`) => ({
  ...{ sku, identity, name, unit: null, supplier: null, unitCost: null, currency: null },
})

async function read(pages: object[][], whole = false) {
  const to = await cds.tx(() => RecordsRead.begin(source, 'skus', { read: ++reads, whole }))
  let deleted = 0
  for (const records of pages) await cds.tx(() => to.write({ records: records as AnyRecord[] }))
  deleted += await cds.tx(() => to.finish(GUARD))
  return deleted
}

const skus = async () =>
  (await SELECT.from(Skus).where({ source_ID: source }).orderBy('sku')).map((row) => [
    ...[row.sku, row.identity],
  ])

/** A series of each SKU, with a number that tells whose it was. */
async function begin(...codes: string[]) {
  await read([codes.map((code, at) => skuOf(String(at + 1), code))], true)
  const of = { source_ID: source, location: 'L1' }
  for (const [at, sku] of codes.entries()) {
    await INSERT.into(Series).entries({ ID: source * 100 + at + 1, ...of, sku, dirty: false })
    await INSERT.into(Planning).entries({ ...of, sku, leadTimeDays: at + 1 })
    await INSERT.into(Receipts).entries({
      ...of,
      ...{ document: `PO-${at + 1}`, receipt: '1', sku, receivedOn: '2026-11-01', quantity: 1 },
    })
  }
}

/** Of each code the products whose series, terms and receipts it has. */
async function held() {
  const of = { source_ID: source }
  const [series, planning, receipts] = await Promise.all([
    SELECT.from(Series).where(of),
    SELECT.from(Planning).where(of),
    SELECT.from(Receipts).where(of),
  ])
  const by: Record<string, unknown[]> = {}
  for (const { sku, ID } of series) (by[sku!] ??= []).push(ID - source * 100)
  for (const { sku, leadTimeDays } of planning) (by[sku] ??= []).push(leadTimeDays)
  for (const { sku, document } of receipts) (by[sku!] ??= []).push(Number(document.slice(3)))
  return by
}

it('take along what is stored of them, also where they change codes with each other', async () => {
  await begin('A', 'B', 'C')
  await read([[skuOf('1', 'B')], [skuOf('2', 'A'), skuOf('3', 'D')]])
  expect(await skus()).toEqual([
    ['A', '2'],
    ['B', '1'],
    ['D', '3'],
  ])
  expect(await held()).toEqual({ A: [2, 2, 2], B: [1, 1, 1], D: [3, 3, 3] })
  const due = await SELECT.from(Series).where({ source_ID: source, dirty: true })
  expect(due).toHaveLength(3)
})

it('leave their code to the product that has it now', async () => {
  await begin('A')
  await read([[skuOf('9', 'A')]])
  expect(await skus()).toEqual([
    ['A', '9'],
    ['A (#1)', '1'],
  ])
  expect(await held()).toEqual({ 'A (#1)': [1, 1, 1] })
  // As it is called by the ERP's adapter from then on.
  await read([[skuOf('1', 'A (#1)')]])
  expect(await held()).toEqual({ 'A (#1)': [1, 1, 1] })
})

it('are not deleted and read anew in a whole read', async () => {
  await begin('A', 'B')
  const [before] = await SELECT.from(Skus).where({ source_ID: source, sku: 'A' })
  expect(await read([[skuOf('1', 'Z'), skuOf('2', 'B')]], true)).toBe(0)
  const [after] = await SELECT.from(Skus).where({ source_ID: source, sku: 'Z' })
  expect(after!.addedAt).toEqual(before!.addedAt)
  expect(await held()).toEqual({ B: [2, 2, 2], Z: [1, 1, 1] })
})

it('are known by their codes alone where the ERP says nothing else', async () => {
  await read([[skuOf(null, 'A')]], true)
  await read([[skuOf('1', 'A')]])
  expect(await skus()).toEqual([['A', '1']])
  await read([[skuOf(null, 'B')]])
  expect(await skus()).toEqual([
    ['A', '1'],
    ['B', null],
  ])
})

it('take rules and overrides along, unless the new code has its own or another source has the old one', async () => {
  const rule = (sku: string, moq: number) => ({ level: 'sku', sku, moq })
  const [own, taken, shared] = [1, 2, 3].map((at) => `R${at}-${source}`) as [string, string, string]
  await begin(own, taken, shared)
  await INSERT.into(Skus).entries({ source_ID: 1_900, sku: shared })
  await INSERT.into(Policies).entries([
    ...[rule(own, 1), rule(taken, 2), rule(`${taken}-new`, 5), rule(shared, 3)],
  ])
  const override = { firstDay: '2027-01-01', lastDay: '2027-01-02', percent: 5 }
  await INSERT.into(ForecastOverrides).entries({ ID: source, sku: own, ...override })
  await read([[own, taken, shared].map((code, at) => skuOf(String(at + 1), `${code}-new`))])
  const rules = await SELECT.from(Policies)
    .where({ sku: { like: `R%-${source}%` } })
    .orderBy('sku')
  expect(rules.map(({ sku, moq }) => [sku, Number(moq)])).toEqual([
    [`${own}-new`, 1],
    [taken, 2],
    [`${taken}-new`, 5],
    [shared, 3],
  ])
  const [moved] = await SELECT.from(ForecastOverrides).where({ ID: source })
  expect(moved!.sku).toBe(`${own}-new`)
  await DELETE.from(Policies).where({ sku: { like: `R%-${source}%` } })
})
