// A source whose lines are worth 9,999.00 each, from the one supplier S-1.
import cds from '@sap/cds'
import { ApprovedValues, Planning, Proposals } from '../../../srv/base/database/entities.ts'
import * as money from '../../../srv/domain/money/index.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'

const { SELECT, DELETE, UPDATE } = cds.ql

export interface Lines {
  source: number
  /** The number of a pending proposal that no other test touches. */
  take(): number
  ids: number[]
}

export async function openLines(account: string, size: number, more: Record<string, string> = {}) {
  const skus = Array.from({ length: size }, (_, at) => `${account}-${at}`)
  const rows = (row: (sku: string) => string) => `${skus.map(row).join('\n')}\n`
  const source = await connectFiles(account, {
    'demand.csv': steadyDemand(skus),
    'stock.csv': `sku,location,on_hand\n${rows((sku) => `${sku},L1,0`)}`,
    'planning.csv':
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency\n' +
      rows((sku) => `${sku},L1,7,100,100,S-1,99.99,EUR`),
    ...more,
  })
  expect((await sync(source)).status).toBe('succeeded')
  const found = await SELECT.from(Proposals).where({ source_ID: source }).orderBy('ID')
  expect(new Set(found.map(({ value }) => Number(value)))).toEqual(new Set([9999]))
  const ids = found.map(({ ID }) => ID)
  return { source, ids, take: () => ids.pop()! }
}

/** As if nothing had been approved today. */
export const forgetApprovals = () => DELETE.from(ApprovedValues)

/** The currency of the ERP's cost, and of the proposal that was calculated from it. */
export async function setCurrency(ID: number, currency: string | null) {
  const proposal = await SELECT.one.from(Proposals).columns('source_ID', 'sku').where({ ID })
  const { source_ID, sku } = proposal!
  await UPDATE.entity(Planning).set({ currency }).where({ source_ID, sku })
  await UPDATE.entity(Proposals).set({ currency }).where({ ID })
}

/** Does something in a transaction of an administrator. */
export function byAdmin<T>(work: () => Promise<T>): Promise<T> {
  const user = new cds.User({ id: 'admin', roles: ['Viewer', 'Admin'], attr: { via: 'ui' } })
  return cds.tx<T>({ user } as never, work as never)
}

export const setRate = (
  fromCurrency: string,
  toCurrency: string,
  rate: string,
  validFrom?: string,
) => byAdmin(() => money.setRate({ fromCurrency, toCurrency, rate, validFrom }))
