// Open orders that could not be read block their pairs: what they bring is not known, and is not ordered twice.
import cds from '@sap/cds'
import { BlockedPairs, Proposals } from '../../../srv/base/database/entities.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT } = cds.ql

const FILES = {
  'demand.csv': steadyDemand(['A', 'B']),
  'stock.csv': 'sku,location,on_hand\nA,L1,5\nB,L1,5\n',
  'planning.csv': 'sku,location,lead_time_days\nA,L1,7\nB,L1,7\n',
}
const HEADER = 'order,line,sku,location,quantity\n'

async function stateOf(source: number) {
  const own = { source_ID: source }
  const blocked = await SELECT.from(BlockedPairs).where(own).orderBy('sku')
  const open = await SELECT.from(Proposals)
    .where({ ...own, status: 'pending' })
    .orderBy('sku')
  return {
    blocked: blocked.map(({ sku, missing, reason }) => [sku, missing, reason]),
    proposed: open.map(({ sku }) => sku),
  }
}

it('a copy of a row counts once and blocks nothing', async () => {
  const source = await connectFiles('copied-row', {
    ...FILES,
    'open_orders.csv': `${HEADER}P1,1,A,L1,1\nP1,1,A,L1,1\nP2,1,B,L1,1\nP2,1,A,L1,1\n`,
  })
  await sync(source)
  // The second P2 is another SKU's: what it brings is not known.
  const reason = 'An open order of this pair could not be read: open_orders.csv:5.'
  expect(await stateOf(source)).toEqual({
    blocked: [['A', 'open_orders', reason]],
    proposed: ['B'],
  })
  await writeFiles('copied-row', { 'open_orders.csv': `${HEADER}P1,1,A,L1,1\nP1,1,A,L1,1\n` })
  await sync(source)
  expect(await stateOf(source)).toEqual({ blocked: [], proposed: ['A', 'B'] })
})

it('a row that cannot be read blocks its pair until it can', async () => {
  const source = await connectFiles('unread-row', {
    ...FILES,
    'open_orders.csv': `${HEADER}P1,1,A,L1,a hundred\n`,
  })
  await sync(source)
  const reason = 'An open order of this pair could not be read: open_orders.csv:2.'
  expect(await stateOf(source)).toEqual({
    blocked: [['A', 'open_orders', reason]],
    proposed: ['B'],
  })

  await writeFiles('unread-row', { 'open_orders.csv': `${HEADER}P1,1,A,L1,1\n` })
  await sync(source)
  expect(await stateOf(source)).toEqual({ blocked: [], proposed: ['A', 'B'] })

  await writeFiles('unread-row', { 'open_orders.csv': `${HEADER}P1,1,A,L1,?\n` })
  await sync(source)
  expect(await stateOf(source)).toMatchObject({ blocked: [['A', 'open_orders', reason]] })
})

it('a list that was never read blocks all pairs, and one that was does not', async () => {
  const source = await connectFiles('unread-list', { ...FILES, 'open_orders.csv': 'order;sku\n' })
  await sync(source)
  const reason = 'The open orders of this source have not been read once.'
  expect(await stateOf(source)).toEqual({
    blocked: [
      ['A', 'open_orders', reason],
      ['B', 'open_orders', reason],
    ],
    proposed: [],
  })

  await writeFiles('unread-list', { 'open_orders.csv': `${HEADER}P1,1,A,L1,1\n` })
  await sync(source)
  expect(await stateOf(source)).toEqual({ blocked: [], proposed: ['A', 'B'] })

  await writeFiles('unread-list', { 'open_orders.csv': 'order;sku\n' })
  await sync(source)
  expect(await stateOf(source)).toEqual({ blocked: [], proposed: ['A', 'B'] })
})
