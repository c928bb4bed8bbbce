import cds from '@sap/cds'
import { Proposals, Stock } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql

/** Each SKU has far too much at L1 and is short at L2. */
const SKUS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']

let source: number

const body = (csv: string) => csv.slice(csv.indexOf('\n') + 1)
const lines = (row: (sku: string) => string) => SKUS.map(row).join('\n')

beforeAll(async () => {
  changeSettings({ redistribution: true })
  const demand =
    steadyDemand(SKUS, { location: 'L1' }) + body(steadyDemand(SKUS, { location: 'L2' }))
  source = await connectFiles('moves', {
    'demand.csv': demand,
    'stock.csv': `sku,location,on_hand\n${lines((sku) => `${sku},L1,500\n${sku},L2,30`)}\n`,
    'planning.csv':
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency\n' +
      `${lines((sku) => `${sku},L1,7,50,25,S-1,3.00,EUR\n${sku},L2,7,50,25,S-1,3.00,EUR`)}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
})
afterAll(() => {
  changeSettings({ redistribution: false })
})

const refresh = () => proposalsAs({}, 'refresh', { source, sync: null })
const of = (sku: string, where = {}) =>
  SELECT.from(Proposals)
    .where({ source_ID: source, sku, ...where })
    .orderBy('ID')
const pending = (sku: string) => of(sku, { status: 'pending' })
const find = (ID: number) => proposalsAs({}, 'find', { ID })
const setStock = (sku: string, location: string, onHand: number) =>
  UPDATE.entity(Stock).set({ onHand }).where({ source_ID: source, sku, location })
const everything = async () =>
  (await SELECT.from(Proposals).where({ source_ID: source }).orderBy('ID')).map(
    ({ expiresAt: _, ...rest }) => rest,
  )

it('moves what one location has too much, and buys nothing for the same need', async () => {
  const [move, ...others] = await pending('A')
  expect(others).toEqual([])
  const { calculation, ...proposal } = await find(move!.ID)
  expect(proposal).toMatchObject({
    ...{ kind: 'transfer', location: 'L2', fromLocation: 'L1', supplier: null },
    ...{ unitCost: '3.00', value: (3 * proposal.quantity).toFixed(2), currency: 'EUR' },
  })
  const { targetStock, onHand, onOrder, openProposals, netRequirement } = calculation
  expect(netRequirement).toBe(targetStock - onHand - onOrder - openProposals)
  expect(calculation).toMatchObject({ quantity: netRequirement, moq: 1, lotSize: 1, onHand: 30 })
  expect(proposal.quantity).toBe(netRequirement)
  expect(proposal.rationale).toMatch(/^Transfer \d+ from L1/)
})

it('changes nothing in a run without news', async () => {
  const before = await everything()
  await refresh()
  await refresh()
  expect(await everything()).toEqual(before)
})

it('counts an approved move at both ends, once', async () => {
  const move = await find((await pending('B'))[0]!.ID)
  await approve(move.ID)
  await refresh()
  expect(await pending('B')).toEqual([])
  // What the giver has promised is not its own any more: with little left it must buy.
  await setStock('B', 'L1', move.quantity + 10)
  await refresh()
  const [bought, ...others] = await pending('B')
  expect(others).toEqual([])
  expect(bought).toMatchObject({ kind: 'purchase', location: 'L1', supplier: 'S-1' })
  const { calculation } = await find(bought!.ID)
  expect(calculation).toMatchObject({ onHand: move.quantity + 10, reserved: move.quantity })
  await approve(bought!.ID)
  expect(await find(bought!.ID)).toMatchObject({ status: 'approved' })
})

it('buys what no location has as overstock', async () => {
  await setStock('C', 'L1', 200)
  await setStock('C', 'L2', 0)
  await refresh()
  const before = await pending('C')
  expect(before.map(({ kind }) => kind)).toEqual(['transfer'])
  await setStock('C', 'L1', 0)
  await refresh()
  const after = await pending('C')
  expect(after.map(({ kind, location }) => [kind, location])).toEqual([
    ['purchase', 'L1'],
    ['purchase', 'L2'],
  ])
  expect(await find(before[0]!.ID)).toMatchObject({ status: 'superseded' })
})

it('moves what can be spared, says so, and buys the rest', async () => {
  const planning = (location: string) => `CUT,${location},14,1,1,S-1,2.00,EUR`
  const cut = await connectFiles('cut_moves', {
    'demand.csv':
      steadyDemand(['CUT'], { location: 'GIVES', quantity: 5 }) +
      body(steadyDemand(['CUT'], { location: 'TAKES', quantity: 10 })),
    'stock.csv': 'sku,location,on_hand\nCUT,GIVES,250\nCUT,TAKES,0\n',
    'planning.csv': `sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency\n${planning('GIVES')}\n${planning('TAKES')}\n`,
  })
  expect(await sync(cut)).toMatchObject({ status: 'succeeded' })
  const rows = await SELECT.from(Proposals).where({ source_ID: cut }).orderBy('kind')
  expect(rows.map(({ kind, quantity }) => [kind, Number(quantity)])).toEqual([
    ['purchase', 65],
    ['transfer', 145],
  ])
  const { calculation, rationale, exceptions } = await find(rows[1]!.ID)
  expect(calculation.drivers).toContain('spare_stock_cap')
  expect(calculation.drivers).not.toContain('max_order_cap')
  expect(calculation.maximumOrder).toBeUndefined()
  expect(rationale).toMatch(/cut to 145 for the 145 that the other location can spare\.$/)
  expect(exceptions ?? []).toEqual([])
})

it('leaves the need to a purchase where a move was rejected', async () => {
  const [move] = await pending('D')
  await proposalsAs({}, 'decline', { ID: move!.ID, reason: 'other' })
  await refresh()
  const [bought, ...others] = await pending('D')
  expect(others).toEqual([])
  expect(bought).toMatchObject({ kind: 'purchase', location: 'L2' })
})

it('keeps what a person has snoozed, and proposes nothing else for it', async () => {
  const [move] = await pending('E')
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await proposalsAs({}, 'snooze', { ID: move!.ID, until })
  await refresh()
  expect(await pending('E')).toEqual([])
  expect(await find(move!.ID)).toMatchObject({ status: 'snoozed' })
})

it('refuses a transfer whose sender has no overstock any more', async () => {
  const [move] = await pending('F')
  await setStock('F', 'L1', 20)
  await expect(approve(move!.ID)).rejects.toMatchObject({
    code: 'proposal_stale',
    options: { members: { fresh: { quantity: 0 } } },
  })
})

it('becomes ordered by the stock transport order that names it', async () => {
  const [move] = await pending('G')
  await approve(move!.ID)
  const due = daysAgo(-3)
  await writeFiles('moves', {
    'open_orders.csv':
      'order,line,sku,location,quantity,due,reference\n' +
      `4900,10,G,L2,${move!.quantity},${due},prop_${move!.ID}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  expect(await find(move!.ID)).toMatchObject({ status: 'ordered' })
  expect(await pending('G')).toEqual([])
})

it('is off unless it is switched on; what was not touched goes, and is bought', async () => {
  changeSettings({ redistribution: false })
  await refresh()
  const left = await pending('H')
  expect(left.map(({ kind }) => kind)).toEqual(['purchase'])
})
