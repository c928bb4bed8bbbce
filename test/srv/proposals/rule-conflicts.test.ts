// Rules that cut a need, or leave nothing of it, are told.
import cds from '@sap/cds'
import { Exceptions, Proposals } from '../../../srv/base/database/entities.ts'
import { explainItems } from '../../../srv/domain/proposals/explain/items.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'
import { read } from '../buyer/odata.ts'

const { SELECT } = cds.ql

const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'
const SKUS = ['A', 'B', 'C', 'D']

let source: number

beforeAll(async () => {
  source = await connectFiles('conflicts', {
    'demand.csv': steadyDemand(SKUS, { quantity: 10 }),
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,20`).join('\n')}\n`,
    'planning.csv': `${header}\nA,L1,7,100,,S-1,2.00,EUR\nB,L1,7,,,S-1,2.00,EUR\nC,L1,7,200,,S-1,2.00,EUR\nD,L1,7,,,S-2,2.00,EUR\n`,
  })
  await sync(source)
})

const refresh = () => proposalsAs({}, 'refresh', { source, sync: null })
const set = (rule: object) => proposalsAs({ id: 'admin' }, 'setPolicy', { rule })
const conflicts = () =>
  SELECT.from(Exceptions).where({ source_ID: source, kind: 'rule_conflict' }).orderBy('sku')
const proposalOf = (sku: string) => SELECT.one.from(Proposals).where({ sku, status: 'pending' })

it('finds none where what is needed is ordered', async () => {
  expect(await proposalOf('A')).toMatchObject({ calculation_moq: 100 })
  expect(await conflicts()).toEqual([])
})

describe('a limit', () => {
  beforeAll(async () => {
    await set({ level: 'sku', sku: 'A', maximumStock: 110 })
    await set({ level: 'sku', sku: 'B', maximumOrder: 50 })
    await set({ level: 'sku', sku: 'C', shelfLifeDays: 10 })
    await refresh()
  })

  it('that leaves less than the minimum order quantity is a line that names both', async () => {
    const [maximum, , shelfLife] = await conflicts()
    expect(await proposalOf('A')).toBeUndefined()
    expect(maximum).toMatchObject({ sku: 'A', location: 'L1', supplier: 'S-1', currency: 'EUR' })
    expect(maximum!.quantity).toBeGreaterThan(100)
    expect(maximum!.message).toBe(
      `${maximum!.quantity} are missing, but the maximum stock of 110 (rule sku A) leaves 90, less than the minimum order quantity of 100 (ERP).`,
    )
    expect(await proposalOf('C')).toBeUndefined()
    expect(shelfLife!.message).toMatch(
      /the shelf life of 10 days \(rule sku C\) leaves \d+, less than the minimum order quantity of 200 \(ERP\)/,
    )
  })

  it('that cuts a quantity is one too, and shown on the proposal', async () => {
    const [, cut] = await conflicts()
    const proposal = (await proposalOf('B'))!
    expect(Number(proposal.quantity)).toBe(50)
    expect(proposal.exceptions).toEqual(['capped_below_need'])
    expect(proposal.rationale).toMatch(/cut to 50 for the maximum order of 50/)
    expect(cut).toMatchObject({
      ...{ sku: 'B', quantity: proposal.calculation_netRequirement! - 50 },
      message: `The service target P${Math.round(proposal.calculation_targetQuantile! * 100)} (setting) asks for ${proposal.calculation_netRequirement} more; the maximum order of 50 (rule sku B) leaves 50.`,
    })
  })

  it('is told in the language of the user', async () => {
    const answer = await read("Exceptions?$filter=kind eq 'rule_conflict' and sku eq 'A'", {
      headers: { 'Accept-Language': 'de' },
    })
    expect((answer.json as { value: { message: string }[] }).value[0]!.message).toMatch(
      /^Es fehlen \d+, aber der Höchstbestand von 110 \(Regel sku A\) lässt nur 90 zu, weniger als die Mindestbestellmenge von 100 \(ERP\)\.$/,
    )
  })

  it('is told no longer once it is lifted', async () => {
    await set({ level: 'sku', sku: 'A', maximumStock: 1000 })
    await refresh()
    expect((await conflicts()).map(({ sku }) => sku)).toEqual(['B', 'C'])
  })
})

describe('a minimum that does not pay', () => {
  it('is told where the shelf is expected to be empty', async () => {
    await set({ level: 'sku', sku: 'B', moq: 100_000 })
    await refresh()
    expect(await proposalOf('B')).toBeUndefined()
    const told = (await conflicts()).find(({ sku }) => sku === 'B')!
    expect(told).toMatchObject({ quantity: expect.any(Number), supplier: 'S-1' })
    expect(told.message).toBe(
      `${told.quantity} are missing, but the minimum order quantity of 100,000 (rule sku B) would cost more to carry than the shortage that it averts: nothing is ordered, and the shelf is expected to be empty before an order could arrive.`,
    )
    const [item] = await explainItems([told.series!])
    expect(item).toMatchObject({
      ...{ state: 'not_worth_it', change: { text: 'change_worth_least' } },
      why: { text: 'item_least_not_worth_it', least: { text: 'least_moq', count: 100_000 } },
    })
    await set({ level: 'sku', sku: 'B', maximumOrder: 50 })
    await refresh()
  })
})

describe('a minimum that is ordered though it does not pay', () => {
  it('is told, because the shelf is empty', async () => {
    const [SKU, LOCATION] = ['EMPTY', 'L9']
    const empty = await connectFiles('empty', {
      'demand.csv': steadyDemand([SKU], { location: LOCATION, quantity: 1 }),
      'stock.csv': `sku,location,on_hand\n${SKU},${LOCATION},0\n`,
      'planning.csv': `${header}\n${SKU},${LOCATION},14,10000,,S-9,2.00,EUR\n`,
    })
    await sync(empty)
    expect(await proposalOf(SKU)).toMatchObject({ urgency: 'stocked_out', quantity: '10000' })
    const told = await SELECT.from(Exceptions).where({ source_ID: empty, kind: 'rule_conflict' })
    expect(told.map(({ message }) => message)).toEqual([
      '21 are missing, but the minimum order quantity of 10,000 (ERP) costs more to carry than the shortage that it averts: it is proposed all the same, because the shelf is empty.',
    ])
  })
})

describe("a supplier's minimum", () => {
  const ofSupplier = async () => (await conflicts()).filter(({ sku }) => sku === '')

  it('is not reached by more than the cover that is allowed, and told with what it would take', async () => {
    const before = (await proposalOf('D'))!
    await set({ level: 'supplier', supplier: 'S-2', minimumOrderValue: '5000.00' })
    await refresh()
    const after = (await proposalOf('D'))!
    expect(after.quantity).toBe(before.quantity)
    expect(after.exceptions).toEqual(['supplier_minimum_not_reached'])
    const missing = 5000 - Number(after.value)
    expect(await ofSupplier()).toMatchObject([
      { supplier: 'S-2', location: 'L1', series: null, currency: 'EUR', quantity: 0 },
    ])
    const [row] = await ofSupplier()
    expect(Number(row!.value)).toBe(missing)
    expect(row!.message).toMatch(
      /^Supplier S-2 requires orders of at least 5,000 EUR; [\d,.]+ EUR are missing\. To reach it, lines would have to last \d+ days beyond their target; at most 28 are allowed\.$/,
    )
  })

  it('is the same exception at the next run, and gone with the rule', async () => {
    const [before] = await ofSupplier()
    await refresh()
    expect(await ofSupplier()).toEqual([before])
    await proposalsAs({ id: 'admin' }, 'removePolicy', {
      rule: { level: 'supplier', supplier: 'S-2' },
    })
    await refresh()
    expect(await ofSupplier()).toEqual([])
    expect((await proposalOf('D'))!.exceptions).toBeNull()
  })
})
