// Both inboxes alike: what was shown is what is decided, a rejection says why, a claim takes the task off other lists.
import cds from '@sap/cds'
import { Proposals, TaskViews } from '../../../srv/base/database/entities.ts'
import { restampOldTasks } from '../../../srv/doors/tasks/feed/advance.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { answerOf } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { act, basic, call, caughtUp, pullAll, respond, START, taskOf, urnOf } from './inbox.ts'

const { SELECT } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('shown', 20)
  await caughtUp()
})

interface Told {
  d?: { results?: { InstanceID: string }[] }
  error?: { code: string; message: { value: string } }
}

/** A call of My Inbox. */
async function inbox(method: string, path: string, user = 'buyer', language = 'en') {
  const root = `${serverUrl()}/odata/v2/TASKPROCESSING/`
  const headers = {
    ...{ Authorization: basic(user), Accept: 'application/json', 'Accept-Language': language },
  }
  const fetched = await fetch(root, { headers: { ...headers, 'X-CSRF-Token': 'Fetch' } })
  const token = fetched.headers.get('x-csrf-token')!
  const response = await fetch(root + path, {
    method,
    headers: { ...headers, 'X-CSRF-Token': token },
  })
  return answerOf<Told>(response)
}

const keysOf = (ID: number) => `SAP__Origin='RESTOCK',InstanceID='prop_${ID}'`
const decide = (ID: number, key: string, more = '', user = 'buyer', language = 'en') => {
  const values = `SAP__Origin='RESTOCK'&InstanceID='prop_${ID}'`
  return inbox('POST', `Decision?${values}&DecisionKey='${key}'${more}`, user, language)
}
const openInInbox = (ID: number, user?: string) =>
  inbox('GET', `TaskCollection(${keysOf(ID)})?$expand=Description`, user)

const rowOf = async (ID: number) => (await SELECT.one.from(Proposals).where({ ID }))!
const quantityOf = async (ID: number) => Number((await rowOf(ID)).quantity)

describe('what a sync has moved since it was shown', () => {
  it('is not approved in My Inbox, until the task is read again', async () => {
    const [ID, listed] = [shop.take(), shop.take()]
    const before = await quantityOf(ID)
    await openInInbox(ID)
    await inbox('GET', "TaskCollection?$filter=Status eq 'READY'&$select=InstanceID,TaskTitle")
    await shop.count(0)
    await caughtUp()
    const now = await quantityOf(ID)
    expect(now).toBeGreaterThan(before)
    for (const [each, key, more] of [
      [ID, '0001', ''],
      [listed, '0001', ''],
      [ID, '0002', "&ReasonCode='price'"],
    ] as const) {
      const refused = await decide(each, key, more)
      expect(refused.status).toBe(409)
      const told = refused.json.error!
      expect(told.code).toBe('version_mismatch')
      expect(told.message.value).toContain(`quantity ${before}, now ${now}`)
      expect(told.message.value).toContain(`value ${3 * before}.00, now ${3 * now}.00`)
    }
    const german = await decide(ID, '0001', '', 'buyer', 'de')
    expect(german.json.error!.message.value).toContain(`Menge ${before}, jetzt ${now}`)
    expect(await rowOf(ID)).toMatchObject({ status: 'pending' })
    // Somebody else has seen nothing of it.
    await openInInbox(ID)
    expect((await decide(ID, '0001')).status).toBe(200)
    expect(await rowOf(ID)).toMatchObject({ status: 'approved' })
    expect((await decide(listed, '0001', '', 'approver')).status).toBe(200)
  })

  it('is not approved in Task Center, until it or the person has read the task', async () => {
    const [ID, opened] = [shop.take(), shop.take()]
    await pullAll({ modifiedAfter: START, lastId: null })
    const before = await quantityOf(ID)
    await shop.count(25)
    const now = await quantityOf(ID)
    expect(now).not.toBe(before)
    for (const each of [ID, opened]) {
      for (const body of [{ code: 'approve' }, { code: 'reject', comment: 'no' }]) {
        const refused = await respond(urnOf(each), body)
        expect(refused.status).toBe(409)
        expect(refused.error).toMatchObject({ code: 'version_mismatch' })
        expect(refused.error!.message).toContain(`quantity ${before}, now ${now}`)
      }
    }
    const path = `/tasks/${urnOf(opened)}/description`
    expect((await call('GET', path, { user: 'approver' })).text).toContain(String(now))
    expect((await respond(urnOf(opened), { code: 'approve' }, 'buyer')).status).toBe(409)
    expect((await respond(urnOf(opened), { code: 'approve' })).status).toBe(200)
    await caughtUp()
    await pullAll({ modifiedAfter: START, lastId: null })
    expect((await respond(urnOf(ID), { code: 'approve' })).status).toBe(200)
  })

  it('is not approved with the order that it is a line of', async () => {
    changeSettings({ tasks: { grouping: 'supplier' } })
    await caughtUp()
    const all = await pullAll({ modifiedAfter: START, lastId: null })
    const { urn } = all.find(
      ({ status, localId }) => status === 'READY' && /^order_/.test(localId),
    )!
    await shop.count(12)
    const refused = await respond(urn, { code: 'approve' })
    expect(refused.status).toBe(409)
    expect(refused.error!.message).toMatch(/quantity [\d,]+, now [\d,]+/)
    changeSettings({ tasks: {} })
    await caughtUp()
  })

  it('is kept no longer than the task is open', async () => {
    const ID = shop.take()
    await openInInbox(ID)
    const views = () => SELECT.from(TaskViews).where({ task: `prop_${ID}` })
    expect(await views()).not.toEqual([])
    expect((await decide(ID, '0002', "&Comments='no'")).status).toBe(200)
    await runDetached('tasks', restampOldTasks)
    expect(await views()).toEqual([])
  })
})

describe('a rejection', () => {
  it('needs a comment or a reason in both', async () => {
    const [first, second] = [shop.take(), shop.take()]
    await openInInbox(first)
    await taskOf(urnOf(second))
    const silent = await decide(first, '0002', "&Comments=''", 'buyer', 'de')
    expect(silent.status).toBe(400)
    expect(silent.json.error!.message.value).toMatch(/Kommentar oder ein Grund/)
    const answer = await respond(urnOf(second), { code: 'reject', comment: ' ' })
    expect(answer.status).toBe(400)
    expect(answer.error!.message).toMatch(/comment or a reason/)
    for (const ID of [first, second]) expect(await rowOf(ID)).toMatchObject({ status: 'pending' })
    expect((await decide(first, '0002', "&ReasonCode='price'")).status).toBe(200)
    expect((await respond(urnOf(second), { code: 'reject', reasonCode: 'price' })).status).toBe(200)
    for (const ID of [first, second]) {
      expect(await rowOf(ID)).toMatchObject({ status: 'rejected', reason: 'price' })
    }
  })
})

describe('a claimed task', () => {
  const listed = async (ID: number, user: string) => {
    const { json } = await inbox('GET', 'TaskCollection?$select=InstanceID,Status', user)
    return json.d!.results!.some(({ InstanceID }) => InstanceID === `prop_${ID}`)
  }
  const named = async (ID: number) => {
    const { processor, recipientUsers, recipientGroups } = (await taskOf(urnOf(ID))).json
    return { processor, recipientUsers, recipientGroups }
  }

  it.each(['My Inbox', 'Task Center'])('leaves the others’ lists; claimed in %s', async (door) => {
    const ID = shop.take()
    const claim = (name: 'claim' | 'release') =>
      door === 'Task Center'
        ? act(urnOf(ID), name, 'buyer')
        : inbox('POST', `${name === 'claim' ? 'Claim' : 'Release'}?${keysOf(ID).replace(',', '&')}`)
    expect([await listed(ID, 'buyer'), await listed(ID, 'approver')]).toEqual([true, true])
    const free = await named(ID)
    expect((await claim('claim')).status).toBe(200)
    expect([await listed(ID, 'buyer'), await listed(ID, 'approver')]).toEqual([true, false])
    const counted = await inbox(
      'GET',
      `TaskCollection/$count?$filter=InstanceID eq 'prop_${ID}'`,
      'approver',
    )
    expect(counted.text).toBe('0')
    expect(await named(ID)).toMatchObject({ processor: 'buyer', recipientUsers: ['buyer'] })
    expect((await decide(ID, '0001', '', 'approver')).status).toBe(409)
    expect((await respond(urnOf(ID), { code: 'approve' }, 'approver')).status).toBe(409)
    expect((await claim('release')).status).toBe(200)
    expect([await listed(ID, 'buyer'), await listed(ID, 'approver')]).toEqual([true, true])
    expect(await named(ID)).toEqual(free)
  })

  it('of somebody whom Task Center does not know is shown there to nobody', async () => {
    const ID = shop.take()
    changeSettings({ tasks: { globalUserIds: { 'id-of-approver': 'approver' } } })
    await act(urnOf(ID), 'claim', 'buyer')
    const nobody = { processor: null, recipientUsers: [], recipientGroups: [] }
    expect(await named(ID)).toEqual(nobody)
    await act(urnOf(ID), 'release', 'buyer')
    expect((await named(ID)).recipientGroups).not.toEqual([])
    changeSettings({ tasks: {} })
  })
})
