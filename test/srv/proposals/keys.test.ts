// Codes that hold the sign that keys are joined with: pairs are told apart all the same.
import cds from '@sap/cds'
import { Exceptions, Proposals } from '../../../srv/base/database/entities.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'

const { SELECT } = cds.ql

const PAIRS = [
  ['a|b', 'c'],
  ['a', 'b|c'],
] as const
const NEW = [
  ['x|y', 'z'],
  ['x', 'y|z'],
] as const

let source: number
beforeAll(async () => {
  const rows = PAIRS.flatMap(([sku, location]) =>
    steadyDemand([sku], { location }).split('\n').slice(1, -1),
  )
  const each = (pairs: typeof PAIRS | typeof NEW, rest: string) =>
    pairs.map(([sku, location]) => `${sku},${location},${rest}\n`).join('')
  source = await connectFiles('separators', {
    'demand.csv': `sku,location,date,quantity\n${rows.join('\n')}\n`,
    'stock.csv': `sku,location,on_hand\n${each(PAIRS, '0')}`,
    'planning.csv': `sku,location,lead_time_days\n${each(PAIRS, '7')}${each(NEW, '7')}`,
  })
})

it.each(['full', 'full', 'incremental'] as const)('are one each after a %s sync', async (mode) => {
  expect(await sync(source, mode)).toMatchObject({ status: 'succeeded', issues: [] })
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.map(({ sku, location }) => [sku, location])).toEqual(
    expect.arrayContaining(PAIRS.map((pair) => [...pair])),
  )
  expect(proposals).toHaveLength(PAIRS.length)
  const missing = await SELECT.from(Exceptions).where({ source_ID: source, kind: 'no_history' })
  expect(missing.map(({ sku, location }) => [sku, location])).toEqual(
    expect.arrayContaining(NEW.map((pair) => [...pair])),
  )
  expect(missing).toHaveLength(NEW.length)
  expect(proposals.map(({ version }) => version)).toEqual([1, 1])
})
