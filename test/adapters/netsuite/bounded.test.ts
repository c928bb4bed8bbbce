// How much of NetSuite an incremental read asks for after a day of business.
import { doBusiness } from '../../../sandbox/company/do-business.ts'
import { closeAll, connectionTo, Copy, differences, startSmall } from './support.ts'

afterEach(closeAll)

it('rows that are read are bounded by what is open or changed, not by the history', async () => {
  const erp = await startSmall({ size: 5_000, days: 30 })
  erp.set({ totals: false })
  const copy = new Copy(connectionTo(erp, { time_zone: 'America/Los_Angeles', history_days: 60 }))
  await copy.sync('full')
  const { company } = erp
  const before = company.ledger.size
  doBusiness(company)
  erp.log.length = 0
  await copy.sync()
  expect(differences(copy, erp)).toEqual([])
  const read = erp.log.reduce((sum, { rows }) => sum + rows, 0)
  const moved = company.ledger.size - before
  const open = company.orders.filter(({ status }) => status === 'open').flatMap((one) => one.lines)
  const customers = company.salesOrders.flatMap(({ lines }) => lines)
  // Stock has no instant of its last change; yesterday's documents are within the overlap.
  const bound = company.pairs.length + open.length + customers.length + 3 * moved + 2_000
  expect(before).toBeGreaterThan(30_000)
  expect(read).toBeLessThan(bound)
  expect(copy.read.get('demand')).toBeLessThan(moved + 2_500)
})
