// Tasks go to those whose limit reaches, in whatever currency, by line and by order.
import cds from '@sap/cds'
import { TaskAudiences, Tasks } from '../../../srv/base/database/entities.ts'
import { changeSettings } from '../../support/settings.ts'
import { caughtUp } from '../tasks/inbox.ts'
import { type Lines, openLines, setCurrency, setRate } from './supplier.ts'

const { SELECT } = cds.ql

let lines: Lines
beforeAll(async () => {
  lines = await openLines('inboxes', 4)
})

/** Of the open tasks the groups that each is for. */
async function groupsByTask() {
  await caughtUp()
  const audiences = await SELECT.from(TaskAudiences)
  const groups = new Map(audiences.map(({ ID, groups }) => [ID, JSON.parse(groups!) as string[]]))
  const tasks = await SELECT.from(Tasks).where({ status: 'READY' })
  return new Map(tasks.map(({ localId, audience }) => [localId, groups.get(audience!)]))
}

it('a task is for those whose limit reaches its value in their currency', async () => {
  const [euros, dinars, dollars] = lines.ids as [number, number, number]
  await setCurrency(dinars, 'KWD')
  await setCurrency(dollars, 'USD')
  await setRate('KWD', 'EUR', '3.05')
  const groups = await groupsByTask()
  expect(groups.get(`prop_${euros}`)).toEqual(['ApproverHigh', 'Buyer'])
  expect(groups.get(`prop_${dinars}`)).toEqual(['ApproverHigh'])
  expect(groups.get(`prop_${dollars}`)).toEqual(['ApproverHigh'])
  await setRate('USD', 'EUR', '1')
  expect((await groupsByTask()).get(`prop_${dollars}`)).toEqual(['ApproverHigh', 'Buyer'])
  await setCurrency(dinars, 'EUR')
  await setCurrency(dollars, 'EUR')
})

it('an order is for those whose limit reaches all of it, and is refused to others', async () => {
  changeSettings({ tasks: { grouping: 'supplier' } })
  expect([...(await groupsByTask()).values()]).toEqual([['ApproverHigh']])
  changeSettings({ approvalLimitsPer: 'line' })
  expect([...(await groupsByTask()).values()]).toEqual([['ApproverHigh', 'Buyer']])
})
