// One buyer, two locations: what Task Center, My Inbox and the mails tell of the other one.
import cds from '@sap/cds'
import { listApprovers } from '../../../srv/domain/authority/index.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { ProposalEvents, TaskComments, TaskLines } from '../../../srv/base/database/entities.ts'
import { openTasksOf } from '../../../srv/doors/tasks/digest.ts'
import { serverUrl } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { basic, call, caughtUp, pullAll, START, urnOf } from '../tasks/inbox.ts'
import { entitiesOf, listPaths, rowPaths, someFor } from './odata-paths.ts'
import { type Bound, BOUND, leaksIn, openTwoLocations, type TwoLocations } from './two-locations.ts'

const { SELECT } = cds.ql

let two: TwoLocations

beforeAll(async () => void (two = await openTwoLocations()))
afterAll(() => changeSettings({ tasks: {} }))

/** At `odata/v2/` or `odata/v4/`. */
async function inbox(protocol: string, path: string, as: string, method = 'GET') {
  const service = `${serverUrl()}/odata/${protocol}/TASKPROCESSING/`
  const headers = { Authorization: basic(as), Accept: 'application/json' }
  const token = await fetch(service, { headers: { ...headers, 'X-CSRF-Token': 'Fetch' } })
  const csrf = token.headers.get('x-csrf-token') ?? ''
  const body = method === 'POST' && protocol === 'v4' ? '{}' : undefined
  const response = await fetch(service + path, {
    ...{ method, body },
    headers: {
      ...{ ...headers, 'X-CSRF-Token': csrf },
      ...(body && { 'Content-Type': 'application/json' }),
    },
  })
  return { status: response.status, text: await response.text() }
}

const NOTHING = 99_999_999
const masked = ({ status, text }: { status: number; text: string }) => ({
  ...{ status, text: text.replaceAll(/prop_\d+|[0-9a-f-]{36}|\/Date\(\d+\)/g, '#') },
})

describe.each(BOUND)('$id', (bound: Bound) => {
  const { id: as, rows } = bound

  it('has nothing of the rest in any list or sum of My Inbox', async () => {
    for (const [name, entity] of entitiesOf('TASKPROCESSING')) {
      for (const path of someFor(BOUND.indexOf(bound), listPaths(name, entity))) {
        for (const protocol of path.includes('$apply') ? ['v4'] : ['v2', 'v4']) {
          const { status, text } = await inbox(protocol, path, as)
          const found = { protocol, path, leaks: leaksIn(text, bound), isFault: status >= 500 }
          expect({ ...found, text: found.isFault && text }).toEqual({
            ...{ protocol, path, leaks: [], isFault: false, text: false },
          })
        }
      }
    }
    const own = String(two.seen(rows).length)
    for (const protocol of ['v2', 'v4']) {
      expect((await inbox(protocol, 'TaskCollection/$count', as)).text).toBe(own)
    }
  })

  it('is told in My Inbox of tasks of the rest as of what does not exist', async () => {
    const keyOf = (ID: number) => `SAP__Origin='RESTOCK',InstanceID='prop_${ID}'`
    const [other] = two.unseen(rows)
    for (const [name, entity] of entitiesOf('TASKPROCESSING')) {
      if (!('InstanceID' in entity.elements)) continue
      for (const path of someFor(BOUND.indexOf(bound), rowPaths(name, '#', entity))) {
        const answers = [other!, NOTHING].map(async (ID) =>
          masked(await inbox('v4', path.replace('#', keyOf(ID)), as)),
        )
        const [found, nothing] = await Promise.all(answers)
        expect({ path, ...found }).toEqual({ path, ...nothing })
      }
    }
    const parameters = "&DecisionKey='0001'&Text='seen'"
    for (const name of ['Decision', 'Claim', 'Release', 'AddComment', 'DecisionOptions']) {
      const answers = [other!, NOTHING].map(async (ID) => {
        const of = `${name}?${keyOf(ID).replace(',', '&')}${parameters}`
        return masked(await inbox('v2', of, as, name === 'DecisionOptions' ? 'GET' : 'POST'))
      })
      const [found, nothing] = await Promise.all(answers)
      expect({ name, ...found }).toEqual({ name, ...nothing })
      expect(found!.status).toBeGreaterThanOrEqual(400)
    }
    expect(await SELECT.from(TaskComments)).toEqual([])
  })

  it('is no recipient of the rest in Task Center, and is told of it as of nothing', async () => {
    const tasks = await pullAll({ modifiedAfter: START, lastId: null })
    const unseen = new Set(two.unseen(rows).map((ID) => `prop_${ID}`))
    for (const { localId, recipientUsers, recipientGroups } of tasks) {
      if (unseen.has(localId)) {
        expect(recipientUsers).not.toContain(as)
        expect(recipientGroups).not.toContain('Buyer')
      }
    }
    const calls: [string, string, object?][] = [
      ['GET', 'description'],
      ['GET', 'lines'],
      ['POST', 'response', { code: 'approve' }],
      ['POST', 'response', { code: 'reject', comment: 'no' }],
      ['POST', 'action', { code: 'claim' }],
      ['PATCH', 'lines', { lines: [{ proposal: 'prop_1', excluded: true }] }],
    ]
    for (const [method, part, body] of calls) {
      const answers = [two.unseen(rows)[0]!, NOTHING].map(async (ID) => {
        const path = `/tasks/${encodeURIComponent(urnOf(ID))}/${part}?languages=en`
        return masked(await call(method, path, { user: as, body }))
      })
      const [found, nothing] = await Promise.all(answers)
      expect({ part, ...found }).toEqual({ part, ...nothing })
      expect(found!.status).toBe(404)
    }
    expect(await SELECT.from(ProposalEvents).where({ actor: as })).toEqual([])
  })

  it('is mailed about nothing of the rest', async () => {
    const person = (await listApprovers()).find(({ id }) => id === as)!
    const { open, tasks } = await runDetached('mail', () =>
      openTasksOf({ ...person, groups: person.roles }, 1000),
    )
    expect([open, leaksIn(JSON.stringify(tasks), bound)]).toEqual([two.seen(rows).length - 4, []])
  })
})

describe('orders by supplier', () => {
  beforeAll(async () => {
    changeSettings({ tasks: { grouping: 'supplier' } })
    await runDetached('tasks', () => caughtUp())
  })

  it.each(BOUND)('$id has those alone of which every line is seen', async (bound) => {
    const { text } = await inbox('v2', 'TaskCollection?$top=1000', bound.id)
    expect(leaksIn(text, bound)).toEqual([])
    const unseen = await SELECT.from(TaskLines)
      .columns('task')
      .where({ proposal: { in: two.unseen(bound.rows) } })
    expect(unseen.length).toBeGreaterThan(0)
    for (const { task } of unseen as { task: string }[]) {
      expect(text).not.toContain(`'${task}'`)
      const urn = encodeURIComponent(urnOf(0).replace('prop_0', task))
      const { status } = await call('GET', `/tasks/${urn}/lines`, { user: bound.id })
      expect({ task, status }).toEqual({ task, status: 404 })
    }
  })
})
