// The ABC class of a pair: by the value of its demand of the past year within its source.
import cds from '@sap/cds'
import { DemandRows, Proposals, Series, Skus } from '../../../srv/base/database/entities.ts'
import { PolicyBook } from '../../../srv/domain/proposals/policy/planning.ts'
import { type PolicyLevel, toPolicy } from '../../../srv/domain/proposals/policy/values.ts'
import { classifyPairs } from '../../../srv/domain/proposals/run/classify.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const DAILY = { dear: 10, fair: 10, cheap: 10, uncosted: 10, idle: 1 }
const COSTS = { dear: '80.00', fair: '15.00', cheap: '5.00', uncosted: '', idle: '900.00' }
let source: number

beforeAll(async () => {
  const skus = Object.keys(DAILY) as (keyof typeof DAILY)[]
  const demand = skus
    .filter((sku) => sku !== 'idle')
    .map((sku, at) => {
      const rows = steadyDemand([sku], { quantity: DAILY[sku] })
      return at ? rows.split('\n').slice(1).join('\n') : rows
    })
  // Its one unit was sold before the past year.
  const idle = `idle,L1,${daysAgo(380)},1\n`
  const header = 'sku,location,lead_time_days,supplier,unit_cost,currency'
  source = await connectFiles('classes', {
    'demand.csv': demand.join('') + idle,
    'stock.csv': `sku,location,on_hand\n${skus.map((sku) => `${sku},L1,5`).join('\n')}\n`,
    'planning.csv': `${header}\n${skus.map((sku) => `${sku},L1,7,S-1,${COSTS[sku]},${COSTS[sku] && 'EUR'}`).join('\n')}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
}, 120_000)

const classes = async () => {
  const rows = await SELECT.from(Series).columns('sku', 'abcClass').where({ source_ID: source })
  return Object.fromEntries(rows.map(({ sku, abcClass }) => [sku, abcClass])) as object
}

it('is A up to 80 % of the value, B up to 95 %, C for the rest; none without a unit cost', async () => {
  expect(await classes()).toEqual({ dear: 'A', fair: 'B', cheap: 'C', uncosted: null, idle: 'C' })
})

it('stands with the proposals of the pair', async () => {
  const rows = await SELECT.from(Proposals)
    .columns('sku', 'abcClass')
    .where({ source_ID: source, status: 'pending' })
  expect(Object.fromEntries(rows.map(({ sku, abcClass }) => [sku, abcClass]))).toMatchObject({
    ...{ dear: 'A', fair: 'B', cheap: 'C' },
  })
})

it('changes with what is known at the next run, with open proposals but not with decided ones', async () => {
  const [dear] = await SELECT.from(Proposals).where({ source_ID: source, sku: 'dear' })
  await UPDATE.entity(Proposals).set({ status: 'approved' }).where({ ID: dear!.ID })
  const cost = async (sku: string, unitCost: number) => {
    await UPDATE.entity('restock.Planning').set({ unitCost }).where({ source_ID: source, sku })
    await UPDATE.entity(Skus).set({ unitCost }).where({ source_ID: source, sku })
  }
  await cost('dear', 5)
  await cost('cheap', 80)
  await classifyPairs(source, daysAgo(0))
  expect(await classes()).toMatchObject({ cheap: 'A', fair: 'B', dear: 'C' })
  const of = async (sku: string) =>
    (await SELECT.one.from(Proposals).where({ source_ID: source, sku }))!.abcClass
  expect([await of('cheap'), await of('dear')]).toEqual(['A', 'A'])
})

it('is found in parts, between which others get their turn', async () => {
  const many = await connectFiles('many', {})
  const series = Array.from({ length: 40 }, (_, at) => 256 * 20_000 + at * 256)
  const own = (ID: number) => ({ source_ID: many, sku: `S${ID}` })
  await INSERT.into(Series).entries(series.map((ID) => ({ ...own(ID), ID, location: 'L1' })))
  await INSERT.into(Skus).entries(
    series.map((ID) => ({ ...own(ID), unitCost: 2, currency: 'EUR' })),
  )
  await INSERT.into(DemandRows).entries(
    series.map((ID) => ({ block: ID / 256, date: daysAgo(3), series: ID, quantity: 1 })),
  )
  let [turns, isOver] = [0, false]
  const others = () => void (isOver || (turns++, setImmediate(others)))
  others()
  await classifyPairs(many, daysAgo(0))
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(series.length)
  const classed = await SELECT.from(Series).where({ source_ID: many, abcClass: { '!=': null } })
  expect(classed).toHaveLength(series.length)
})

describe('costs', () => {
  const pair = { sku: 'X', location: 'L1', supplier: 'S-1', skuGroup: 'G', abcClass: 'A' } as const
  const LEVELS: PolicyLevel[] = [
    ...(['sku+location', 'sku', 'supplier+location', 'supplier'] as const),
    ...(['group', 'class_a', 'location', 'default'] as const),
  ]
  const rule = (level: PolicyLevel, stockoutCostShare: number) =>
    toPolicy({ ...pair, level, stockoutCostShare })

  it.each(LEVELS.map((level, at) => [level, at] as const))(
    'of %s stand before those of the levels after it',
    (level, at) => {
      const rules = LEVELS.slice(at).map((each, rank) => rule(each, at + rank))
      const book = new PolicyBook([...rules, rule('class_b', 50), rule('class_c', 60)])
      expect(book.of(pair).decide('stockoutCostShare', null, 99)).toMatchObject({ value: at })
      expect(rules[0]!.level).toBe(level)
    },
  )

  it('of another class are not taken, nor of any where a pair has none', () => {
    const book = new PolicyBook([rule('class_b', 50)])
    for (const abcClass of ['A', null] as const)
      expect(book.of({ ...pair, abcClass }).decide('stockoutCostShare', null, 1)).toEqual({
        ...{ value: 1, from: 'configured' },
      })
  })
})
