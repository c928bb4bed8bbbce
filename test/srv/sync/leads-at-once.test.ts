// Two sources that settle in the same moment: one of them leads.
import cds from '@sap/cds'
import { Series, Sources, Syncs } from '../../../srv/base/database/entities.ts'
import { settleLeads } from '../../../srv/base/database/leads.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'

const { SELECT, UPDATE, INSERT, DELETE } = cds.ql
const sku = 'at-once'
const files = {
  'demand.csv': steadyDemand([sku]),
  'stock.csv': `sku,location,on_hand\n${sku},L1,2\n`,
}
let both: [number, number]

beforeAll(async () => {
  both = [await connectFiles('at-once-1', files), await connectFiles('at-once-2', files)]
  for (const source of both) await sync(source, 'full')
})

/** As a sync does when it has read all. */
const settle = (source: number) =>
  cds.tx(async () => {
    await settleLeads(source)
    await UPDATE.entity(Syncs).set({ phase: 'forecasting' }).where({ activeFor: source })
  })

const endSyncs = async () => void (await DELETE.from(Syncs).where({ activeFor: { in: both } }))

async function setFirst(first: number) {
  for (const [at, ID] of both.entries())
    await UPDATE.entity(Sources)
      .set({ precedence: at === first ? 1 : 2 })
      .where({ ID })
}

async function beginSyncs() {
  await endSyncs()
  const entries = both.map((source) => ({
    ...{ ID: 900_000 + source, source_ID: source, mode: 'incremental' as const },
    ...{ status: 'running' as const, phase: 'reading', activeFor: source, issues: '[]' },
    ...{ createdAt: new Date().toISOString(), leaseUntil: '2199-01-01T00:00:00.000Z' },
  }))
  await INSERT.into(Syncs).entries(entries)
}

async function endOther() {
  await DELETE.from(Syncs).where({ activeFor: both[1] })
  await settle(both[0])
}

const leaders = async () => {
  const rows = await SELECT.from(Series).columns('source_ID', 'ledBy').where({ sku })
  return rows.filter(({ ledBy }) => ledBy === null).map(({ source_ID }) => source_ID)
}

afterEach(endSyncs)

describe.each([0, 1])('where source %i has precedence', (first) => {
  it.each([
    ['the first led', 0],
    ['the second led', 1],
    ['none was led', null],
  ])('and %s, one leads', async (_name, led) => {
    for (const order of [both, [...both].reverse()]) {
      await setFirst(first)
      for (const [at, ID] of both.entries()) {
        const ledBy = led === null || led === at ? null : both[led]!
        await UPDATE.entity(Series).set({ ledBy }).where({ source_ID: ID, sku })
      }
      await beginSyncs()
      await Promise.all(order.map(settle))
      expect(await leaders()).toHaveLength(1)
    }
  })
})

it.each([
  ['ends without having settled', endSyncs],
  ['settles as well', () => settle(both[0])],
  ['settles when the other one has ended', endOther],
] as const)(
  'one leads where the other settles first, and the sync of the one that led %s',
  async (_name, end) => {
    await setFirst(0)
    await sync(both[0], 'full')
    expect(await leaders()).toEqual([both[0]])
    await setFirst(1)
    await beginSyncs()
    await settle(both[1])
    expect(await leaders()).toEqual([both[0]])
    await end()
    expect(await leaders()).toHaveLength(1)
    await endSyncs()
    await settle(both[1])
    expect(await leaders()).toEqual([both[1]])
  },
)
