// Lead times that receipts show, beside the planned one and instead of it.
import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { daysAgo, sync, writeFiles } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { read } from '../buyer/odata.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT } = cds.ql

const RECEIPTS = 10
const HEAD = 'order,line,sku,location,supplier,ordered_on,due,received_on,quantity'

let shop: Shop
beforeAll(async () => {
  shop = await openShop('leadtimes', 3)
  const [slow] = shop.skus
  // Planned 7 days; of ten order lines the half came after 7 days, the others after 17.
  const lines = Array.from({ length: RECEIPTS }, (_, at) => {
    const ordered = 40 + 10 * at
    const received = ordered - (at % 2 ? 7 : 17)
    const days = [daysAgo(ordered), daysAgo(ordered - 7), daysAgo(received)]
    return `7${at},10,${slow},L1,S-1,${days.join(',')},50`
  })
  // What is said to have come in the future has not come.
  const typos = Array.from({ length: 2 * RECEIPTS }, (_, at) => {
    return `9${at},10,${slow},L1,S-1,${daysAgo(20)},${daysAgo(13)},2062-01-01,50`
  })
  lines.push(...typos)
  await writeFiles('leadtimes', { 'receipts.csv': `${[HEAD, ...lines].join('\n')}\n` })
})

async function calculations(leadTimeSource: 'planned' | 'measured' | 'larger') {
  changeSettings({ leadTimeSource })
  expect(await sync(shop.source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  const rows = await SELECT.from(Proposals).where({ source_ID: shop.source, status: 'pending' })
  const found = await Promise.all(rows.map(({ ID }) => proposalsAs({}, 'find', { ID })))
  const of = (sku: string) => found.find((proposal) => proposal.sku === sku)!
  return { slow: of(shop.skus[0]!), other: of(shop.skus[1]!) }
}

it('stands beside the planned one, and changes nothing as shipped', async () => {
  const { slow } = await calculations('planned')
  expect(slow.calculation).toMatchObject({
    ...{ leadTimeDays: 7, leadTimePlannedDays: 7 },
    leadTimeMeasured: {
      ...{ of: 'sku', days: 12, deviationDays: 3.9, receipts: 10, shareLate: 0.5, lateDays: 10 },
    },
  })
  expect(slow.calculation.leadTimeDeviationDays).toBeUndefined()
})

it('is told on the page of a proposal', async () => {
  const { slow } = await calculations('planned')
  const { json } = await read(`Proposals(${slow.ID})?$select=measuredLeadTime`)
  expect(json).toMatchObject({ measuredLeadTime: '12 days ± 3.9 (10 receipts), 50 % late' })
})

it('is planned with, spread and all, where the setting says so', async () => {
  const planned = await calculations('planned')
  const { slow } = await calculations('measured')
  expect(slow.calculation).toMatchObject({
    ...{ leadTimeDays: 12, leadTimeDeviationDays: 3.9, leadTimePlannedDays: 7 },
    rules: { lead_time: 'measured', lead_time_deviation: 'measured' },
  })
  expect(slow.calculation.leadTimeSafety).toBeGreaterThan(0)
  expect(slow.quantity).toBeGreaterThan(planned.slow.quantity)
})

it("takes the supplier's usual delay for a SKU of which nothing came", async () => {
  const { other } = await calculations('larger')
  expect(other.calculation).toMatchObject({
    ...{ leadTimeDays: 12, leadTimePlannedDays: 7 },
    leadTimeMeasured: { of: 'supplier', days: 12, receipts: 10 },
  })
})

it('says nothing with too few receipts', async () => {
  changeSettings({ leadTimeReceipts: 11 })
  const { slow, other } = await calculations('measured')
  for (const { calculation } of [slow, other]) {
    expect(calculation.leadTimeDays).toBe(7)
    expect(calculation.leadTimeMeasured).toBeUndefined()
  }
})
