// Batches that expire, from the file to the proposal and its exception.
import cds from '@sap/cds'
import {
  Batches,
  CurrentBatches,
  Exceptions,
  Proposals,
} from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT } = cds.ql

const HEADER = 'sku,location,batch,expires_on,quantity\n'

let source: number

/** Demand is 4 a day; lead time and review period are 7 days each. */
beforeAll(async () => {
  const skus = ['OLD', 'NEAR', 'FRESH', 'NONE']
  source = await connectFiles('batches', {
    'demand.csv': steadyDemand(skus),
    'stock.csv': `sku,location,on_hand\n${skus.map((sku) => `${sku},L1,100\n`).join('')}`,
    'planning.csv': `sku,location,lead_time_days,review_period_days,unit_cost,currency\n${skus
      .map((sku) => `${sku},L1,7,7,2.00,EUR\n`)
      .join('')}`,
    'batches.csv':
      HEADER +
      `OLD,L1,B-1,${daysAgo(3)},90\nNEAR,L1,B-2,${daysAgo(-1)},60\nNEAR,L1,B-2,${daysAgo(-1)},30\n` +
      `FRESH,L1,B-3,${daysAgo(-200)},100\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
})

const pending = async () => {
  const rows = await SELECT.from(Proposals)
    .columns('sku', 'quantity', 'calculation_further', 'rationale')
    .where({ source_ID: source, status: 'pending' })
    .orderBy('sku')
  return rows.map(({ sku, calculation_further: further }) => ({
    sku,
    expiring: (JSON.parse(further ?? '{}') as { expiring?: number }).expiring,
  }))
}

const exceptions = async () => {
  const rows = await SELECT.from(Exceptions)
    .where({ source_ID: source, kind: 'expiring_stock' })
    .orderBy('sku')
  return rows.map(({ sku, document, quantity, value, promisedOn, message }) => ({
    ...{ sku, document, promisedOn, message },
    ...{ quantity: Number(quantity), value: Number(value) },
  }))
}

it('reads batches, bins of one added up', async () => {
  const rows = await SELECT.from(CurrentBatches).where({ source_ID: source }).orderBy('batch')
  expect(rows.map(({ batch, quantity }) => [batch, Number(quantity)])).toEqual([
    ['B-1', 90],
    ['B-2', 90],
    ['B-3', 100],
  ])
})

it('stock that has expired, or will before it sells, hides no need; what sells in time is not bought again', async () => {
  const found = await pending()
  expect(found.map(({ sku }) => sku)).toEqual(['NEAR', 'OLD'])
  expect(found[1]!.expiring).toBe(90)
  expect(found[0]!.expiring).toBeGreaterThan(75)
  expect(found[0]!.expiring).toBeLessThan(90)
})

it('is an exception of its batch, with its money', async () => {
  const found = await exceptions()
  const expired = `Batch B-1 of 90 could be sold until ${daysAgo(3)}: take it out of the stock on hand.`
  expect(found[0]!.message).toContain('Batch B-2 of 90 can be sold until')
  expect(found).toEqual([
    expect.objectContaining({ sku: 'NEAR', document: 'B-2', promisedOn: daysAgo(-1) }),
    {
      ...{ sku: 'OLD', document: 'B-1', promisedOn: daysAgo(3), message: expired },
      ...{ quantity: 90, value: 180 },
    },
  ])
  expect(found[0]!.value).toBe(found[0]!.quantity * 2)
})

it('follows the next file: what is sold or written off is neither need nor exception', async () => {
  await writeFiles('batches', { 'batches.csv': `${HEADER}NEAR,L1,B-2,${daysAgo(-300)},90\n` })
  expect((await sync(source)).status).toBe('succeeded')
  expect(await exceptions()).toEqual([])
  expect(await pending()).toEqual([])
})

it('a batch that expires on two days is refused, by its line', async () => {
  const odd = `OLD,L1,B-9,${daysAgo(-3)},1\nOLD,L1,B-9,${daysAgo(-4)},1\nOLD,L1,,${daysAgo(-4)},1\n`
  await writeFiles('batches', { 'batches.csv': `${HEADER}${odd}` })
  const { issues } = await sync(source)
  expect(issues).toEqual(expect.arrayContaining([expect.objectContaining({ stream: 'batches' })]))
  expect(await SELECT.from(Batches).where({ source_ID: source, batch: '' })).toEqual([])
})
