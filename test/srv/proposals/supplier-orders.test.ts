import cds from '@sap/cds'
import { Planning, Proposals, Stock } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { read } from '../buyer/odata.ts'
import { get } from '../v1/api.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C']
const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'

let source: number

beforeAll(async () => {
  source = await connectFiles('orders', {
    'demand.csv': steadyDemand(SKUS, { quantity: 10 }),
    'stock.csv': 'sku,location,on_hand\nA,L1,20\nB,L1,160\nC,L1,20\n',
    'planning.csv': `${header}\n${['A,L1,7,,5,S-1', 'B,L1,7,,5,S-1', 'C,L1,7,,5,S-2'].map((row) => `${row},2.00,EUR`).join('\n')}\n`,
  })
  await sync(source)
})

const refresh = () => proposalsAs({}, 'refresh', { source, sync: null })
const set = (rule: object) => proposalsAs({ id: 'admin' }, 'setPolicy', { rule })

const open = async () => {
  const rows = await SELECT.from(Proposals).where({ status: 'pending' }).orderBy('sku')
  return Promise.all(rows.map(({ ID }: { ID: number }) => proposalsAs({}, 'find', { ID })))
}

it('raises the lines of a supplier to the minimum of its order, pairs that need nothing yet included', async () => {
  const before = await open()
  expect(before.map(({ sku }) => sku)).toEqual(['A', 'C'])
  await set({ level: 'supplier', supplier: 'S-1', minimumOrderValue: '700.00' })
  await refresh()
  const after = await open()
  const ofSupplier = after.filter(({ supplier }) => supplier === 'S-1')
  const value = ofSupplier.reduce((sum, { value }) => sum + Number(value), 0)
  expect(value).toBeGreaterThanOrEqual(700)
  expect(value).toBeLessThan(700 + 10)
  for (const { quantity, calculation } of ofSupplier) {
    expect(quantity).toBe(calculation.quantity)
    if (!calculation.supplierMinimum) continue
    expect(calculation.drivers).toContain('supplier_minimum')
    expect(calculation.rules!.supplier_minimum).toBe('policy:supplier S-1')
  }
  expect(after.find(({ sku }) => sku === 'C')).toMatchObject({
    ...{ version: 1, quantity: before[1]!.quantity },
  })
})

it('proposes the same again without news, and a raised line can be approved', async () => {
  const before = await open()
  await refresh()
  const after = await open()
  expect(after.map(({ ID, version, quantity }) => [ID, version, quantity])).toEqual(
    before.map(({ ID, version, quantity }) => [ID, version, quantity]),
  )
  const raised = after.find(({ calculation }) => calculation.supplierMinimum)
  expect(await approve(raised!.ID)).toMatchObject({ status: 'approved' })
})

it('raises an order to where the freight is free, if that is cheaper', async () => {
  const valueOf = async (supplier: string) =>
    (await open())
      .filter((proposal) => proposal.supplier === supplier)
      .reduce((sum, { value }) => sum + Number(value), 0)
  const before = await valueOf('S-2')
  const freight = (freeFreightFrom: number, freightCost: string) =>
    set({
      ...{ level: 'supplier', supplier: 'S-2' },
      ...{ freeFreightFrom: `${freeFreightFrom}.00`, freightCost },
    })
  await freight(before + 100, '0.01')
  await refresh()
  expect(await valueOf('S-2')).toBe(before)
  const ofFreight = async () => (await open()).find(({ supplier }) => supplier === 'S-2')!
  const { exceptions } = (await ofFreight()).calculation
  expect(exceptions).toMatchObject([{ code: 'freight_paid' }])
  expect(exceptions![0]!.message).toMatch(/^The supplier's .* so its freight of 0\.01 is paid/)
  const setUnitCost = (unitCost: number | null) =>
    UPDATE.entity(Planning).set({ unitCost }).where({ source_ID: source, sku: 'C' })
  await setUnitCost(null)
  await refresh()
  expect((await ofFreight()).calculation.exceptions).toContainEqual({
    ...{
      code: 'freight_paid',
      message: expect.stringMatching(/^As far as unit costs are known, /),
    },
  })
  await setUnitCost(2)
  await freight(before + 100, '50.00')
  await refresh()
  expect(await valueOf('S-2')).toBeGreaterThanOrEqual(before + 100)
  const { ID, quantity, calculation } = await ofFreight()
  expect(calculation).toMatchObject({
    freeFreight: { units: 50, from: before + 100, freightCost: 50 },
    rules: { free_freight: 'policy:supplier S-2' },
  })
  const { lines } = await proposalsAs({}, 'evidence', { ID })
  expect(lines.slice(-2)).toMatchObject([
    { term: 'free_freight', value: quantity },
    { term: 'quantity', value: quantity },
  ])
})

it('waits with an order that costs more than waiting, and lets one last that goes out', async () => {
  const own = await connectFiles('costs', {
    'demand.csv': steadyDemand(['W', 'X'], { quantity: 10, location: 'L7' }),
    'stock.csv': 'sku,location,on_hand\nW,L7,75\nX,L7,400\n',
    'planning.csv': `${header}\nW,L7,7,,5,S-7,2.00,EUR\nX,L7,7,,5,S-7,2.00,EUR\n`,
  })
  await sync(own)
  const ofSupplier = async () => (await open()).filter(({ supplier }) => supplier === 'S-7')
  const run = () => proposalsAs({}, 'refresh', { source: own, sync: null })
  const [before] = await ofSupplier()
  await set({ level: 'supplier', supplier: 'S-7', orderCost: '100000.00' })
  await run()
  const [waiting, ...others] = await ofSupplier()
  expect(others).toEqual([])
  expect(waiting).toMatchObject({ sku: 'W', quantity: before!.quantity, urgency: 'ahead' })
  expect(waiting!.calculation).toMatchObject({
    rules: { order_cost: 'policy:supplier S-7' },
    exceptions: [{ code: 'order_waits', message: expect.stringMatching(/^Waits for the next/) }],
  })
  const { json } = await get(`/proposals/prop_${waiting!.ID}`)
  const { days, cost_of_waiting, saving } = json.calculation.supplier_wait!
  expect(days).toBeGreaterThan(0)
  expect(Number(saving)).toBeGreaterThan(Number(cost_of_waiting))
  const page = await read(`Proposals(${waiting!.ID})?$select=supplierOrder,supplier,source`)
  expect(page.json).toMatchObject({ supplierOrder: expect.stringMatching(/an order costs /) })
  await set({ level: 'supplier', supplier: 'S-7', orderCost: '1.00' })
  await UPDATE.entity(Stock).set({ onHand: 0 }).where({ source_ID: own, sku: 'W' })
  await run()
  const [joins] = await ofSupplier()
  expect(joins!.calculation).toMatchObject({
    exceptions: [{ code: 'order_now', message: expect.stringMatching(/^Joins today's order: /) }],
  })
})

it('adds no amounts of several currencies up', async () => {
  const own = await connectFiles('currencies', {
    'demand.csv': steadyDemand(['E', 'J', 'N'], { quantity: 3, location: 'L9' }),
    'stock.csv': 'sku,location,on_hand\nE,L9,0\nJ,L9,0\nN,L9,0\n',
    'planning.csv': `${header}\nE,L9,7,,,S-9,10.00,EUR\nJ,L9,7,,,S-9,1000,JPY\nN,L9,7,,,S-9,,\n`,
    'supplier_terms.csv': 'supplier,minimum_order_value\nS-9,500\n',
  })
  await sync(own)
  const rows = await SELECT.from(Proposals).where({ source_ID: own, status: 'pending' })
  const [euro, yen, none] = ['E', 'J', 'N'].map((sku) => rows.find((row) => row.sku === sku)!)
  expect(Number(euro!.value)).toBeGreaterThanOrEqual(500)
  expect(yen!.basis).not.toContain('supplierMinimum')
  expect(Number(none!.quantity)).toBeLessThan(50)
})

describe('files of prices and terms', () => {
  const DAILY = ['D1', 'D2', 'E']
  const ofSku = async (sku: string, location = 'L1') =>
    (await open()).find((each) => each.sku === sku && each.location === location)!

  beforeAll(async () => {
    const rows = [...DAILY.map((sku) => `${sku},L1,7,,10,S-3`), 'F,L1,7,,10,S-5', 'F,L2,7,,10,S-5']
    const demand = steadyDemand([...DAILY, 'F'], { quantity: 10 })
    const elsewhere = steadyDemand(['F'], { quantity: 10, location: 'L2' })
    source = await connectFiles('terms', {
      'demand.csv': `${demand}${elsewhere.slice(elsewhere.indexOf('\n') + 1)}`,
      'stock.csv': 'sku,location,on_hand\nD1,L1,20\nD2,L1,20\nE,L1,20\nF,L1,20\nF,L2,160\n',
      'planning.csv': `${header}\n${rows.map((row) => `${row},2.00,EUR`).join('\n')}\n`,
      'price_breaks.csv':
        'sku,from_quantity,unit_cost,location,supplier\n' +
        'D1,200,1.80,,\nD2,200,1.80,,S-3\nD2,200,1.70,L9,\nE,900,1.99,,\n',
      'supplier_terms.csv': 'supplier,minimum_order_value,orders_by_location\nS-5,500,1\n',
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0 })
  })

  it('raise an order to a price break that saves more than it costs to carry, and no other', async () => {
    const { ID, ...proposal } = await ofSku('D1')
    expect(proposal).toMatchObject({ quantity: 200, unitCost: '1.80', value: '360.00' })
    const { priceBreak, rules, drivers, prices } = proposal.calculation
    const units = 200 - priceBreak!.units
    expect(priceBreak).toMatchObject({ from: 200, unitCost: 1.8, unitCostBefore: 2, saving: 40 })
    expect(priceBreak!.carryingCost).toBeLessThan(1)
    expect([rules!.price_breaks, drivers.includes('price_break')]).toEqual(['erp', true])
    expect(prices).toHaveLength(2)
    const { lines } = await proposalsAs({}, 'evidence', { ID })
    expect(lines.slice(-3)).toMatchObject([
      { term: 'rounded', value: units },
      { term: 'price_break', value: 200 },
      { term: 'quantity', value: 200 },
    ])
    const german = { headers: { 'Accept-Language': 'de' } }
    const { json } = await read(`Proposals(${ID})/formula`, german)
    expect(json.value.at(-2)).toMatchObject({
      termText: 'Staffelpreis',
      how: expect.stringContaining(
        'zusätzlich für den Preis 1,80 ab 200: spart 40,00, Lagerkosten',
      ),
    })
    const far = await ofSku('E')
    expect(far).toMatchObject({ quantity: units, unitCost: '2.00' })
    expect(far.calculation.priceBreak).toBeUndefined()
  })

  it('give what a budget pays of an order, and what a buyer makes of it, its own price', async () => {
    const budget = (Number((await ofSku('E')).value) + 350).toFixed(2)
    const { data, leftValue } = await proposalsAs({}, 'budget', { supplier: 'S-3', budget })
    expect(data).toMatchObject([
      { sku: 'E' },
      { sku: 'D1', quantity: 170, proposedQuantity: 200, value: '340.00' },
    ])
    expect(leftValue).toBe('10.00')
    const { ID } = await ofSku('D1')
    const setUnitCost = (unitCost: number) =>
      UPDATE.entity(Planning).set({ unitCost }).where({ source_ID: source, sku: 'D1' })
    await setUnitCost(3)
    await expect(approve(ID, { quantity: 150 })).rejects.toMatchObject({
      ...{ code: 'proposal_stale', options: { details: [{ target: 'unit_cost' }] } },
    })
    await setUnitCost(2)
    expect(await approve(ID, { quantity: 150 })).toMatchObject({
      ...{ status: 'approved', quantity: 150, unitCost: '2.00', value: '300.00' },
    })
    const other = await ofSku('D2')
    expect(await approve(other.ID, { quantity: 230 })).toMatchObject({
      ...{ quantity: 230, unitCost: '1.80', value: '414.00' },
    })
    const { decisions } = await proposalsAs({}, 'evidence', { ID: other.ID })
    expect(decisions[0]!.replayedQuantity).toBe(200)
  })

  it('fill the order of each location by itself, where a supplier asks so', async () => {
    const here = await ofSku('F')
    expect(Number(here.value)).toBeGreaterThanOrEqual(500)
    expect(here.calculation.rules!.supplier_minimum).toBe('erp')
    expect(await ofSku('F', 'L2')).toBeUndefined()
    await set({
      ...{ level: 'supplier+location', supplier: 'S-5', location: 'L1' },
      minimumOrderQuantity: 300,
      minimumOrderValue: '0.00',
    })
    await refresh()
    const { quantity, calculation } = await ofSku('F')
    expect(quantity).toBe(300)
    expect(calculation.rules!.supplier_minimum).toBe('policy:supplier S-5 at L1')
    expect(await ofSku('F', 'L2')).toBeUndefined()
  })

  it('are read again where they change, for the pairs that they concern', async () => {
    await writeFiles('terms', {
      'price_breaks.csv': 'sku,from_quantity,unit_cost\nE,200,1.50\n',
      'supplier_terms.csv': 'supplier\n',
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    expect(await ofSku('E')).toMatchObject({ quantity: 200, unitCost: '1.50' })
  })
})
