// The documented state machine is the model's.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ProposalStatus } from '#cds-models/restock'
import '../../support/server.ts'
import { isOpen, proposalFlow, type Step } from '../../../srv/domain/proposals/stored/flow.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { openShop } from './shop.ts'

const guide = path.resolve(import.meta.dirname, '../../../docs/guides/decisions.md')
const words = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!)

it('the guide lists each step with its statuses', () => {
  const text = readFileSync(guide, 'utf8')
  const rows = text.slice(text.indexOf('## Statuses')).matchAll(/^\| `(\w+)` +\|(.+)\|(.+)\|$/gm)
  const told = [...rows].map(([, step, from, to]) => [
    step,
    { from: words(from!), to: words(to!)[0] },
  ])
  expect(Object.fromEntries(told)).toEqual(proposalFlow())
})

it('what is final is not open, and nothing leads out of it', () => {
  const { from, to } = Object.groupBy(
    Object.values(proposalFlow()).flatMap(({ from, to }) => [
      ...from.map((status) => ({ side: 'from' as const, status })),
      { side: 'to' as const, status: to },
    ]),
    ({ side }) => side,
  )
  const left = new Set(from!.map(({ status }) => status))
  const final = new Set(to!.map(({ status }) => status).filter((status) => !left.has(status)))
  expect([...final].sort()).toEqual(['cancelled', 'expired', 'ordered', 'rejected', 'superseded'])
  expect([...final].some(isOpen)).toBe(false)
})

describe('a step that the status does not allow is refused in our words', () => {
  const given = { snooze: { until: '2099-01-01T00:00:00Z' }, cancel: { reason: 'price' } } as const

  it.each(['snooze', 'cancel'] as const)('%s', async (step) => {
    const shop = await openShop(`flow-${step}`, 1)
    const ID = shop.take()
    await proposalsAs({}, 'decline', { ID })
    const status: ProposalStatus = 'rejected'
    expect(proposalFlow()[step satisfies Step].from).not.toContain(status)
    await expect(proposalsAs({}, step, { ID, ...given[step] })).rejects.toMatchObject({
      code: 'proposal_already_decided',
    })
    expect(await shop.historyOf(ID)).toEqual(['created', 'rejected'])
  })
})
