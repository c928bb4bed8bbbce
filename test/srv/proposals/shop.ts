// A source whose SKUs all need an order, for tests that decide about them.
import cds from '@sap/cds'
import { ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT } = cds.ql

export interface Shop {
  source: number
  skus: string[]
  /** The number of a pending proposal that no other test touches. */
  take(): number
  /** A sync finds this much on hand of every SKU, 30 before. */
  count(onHand: number): Promise<void>
  /** Its events in order. */
  historyOf(ID: number): Promise<string[]>
}

export const LEAD_TIME_DAYS = 7
export const UNIT_COST = 3

/** Connects and synchronises; every pair is proposed at 3.00 EUR a unit, in lots of 10 from 20 on. */
export async function openShop(account: string, size: number, location = 'L1'): Promise<Shop> {
  const skus = Array.from({ length: size }, (_, at) => `${account}-${at}`)
  const lines = (row: (sku: string) => string) => `${skus.map(row).join('\n')}\n`
  const stock = (onHand: number) =>
    `sku,location,on_hand\n${lines((sku) => `${sku},${location},${onHand}`)}`
  const source = await connectFiles(account, {
    'demand.csv': steadyDemand(skus, { location }),
    'stock.csv': stock(30),
    'planning.csv':
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency\n' +
      lines((sku) => `${sku},${location},${LEAD_TIME_DAYS},20,10,S-1,${UNIT_COST}.00,EUR`),
  })
  const { status } = await sync(source)
  expect(status).toBe('succeeded')
  const rows = await SELECT.from(Proposals).columns('ID').where({ source_ID: source }).orderBy('ID')
  const ids = rows.map(({ ID }: { ID: number }) => ID)
  expect(ids).toHaveLength(size)
  const take = () => ids.pop()!
  const count = async (onHand: number) => {
    await writeFiles(account, { 'stock.csv': stock(onHand) })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  }
  return { source, skus, take, count, historyOf }
}

async function historyOf(ID: number): Promise<string[]> {
  const rows = await SELECT.from(ProposalEvents).where({ proposal: ID }).orderBy('version')
  return rows.map(({ event }) => event!)
}
