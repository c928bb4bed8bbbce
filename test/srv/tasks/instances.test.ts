// Two instances on one database: what either hands out misses nothing that the other changes.
import cds from '@sap/cds'
import { Instance } from '../../support/instance.ts'
import { serverUrl } from '../../support/server.ts'
import { openShop } from '../proposals/shop.ts'
import { basic, caughtUp, type SpiTask, START, urnOf } from './inbox.ts'

// SQLite has one instance.
const isShared = (cds.env.requires.db as { kind: string }).kind === 'postgres'
const several = isShared ? describe : describe.skip

const TASKS = 12
const ROUNDS = 24

let second: Instance
let ids: number[]

const bases = () => [serverUrl(), second.url]

async function ask(base: string, path: string, user: string, body?: object) {
  const response = await fetch(`${base}/task-provider/v2${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: basic(user), ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  return {
    status: response.status,
    json: JSON.parse(await response.text()) as { value: SpiTask[] },
  }
}

class Reader {
  readonly seen = new Map<string, SpiTask>()
  place: [string, string] = [START, '']

  async pull(base: string): Promise<number> {
    const [modifiedAfter, last] = this.place
    const query = `languages=en&modifiedAfter=${modifiedAfter}&$top=7`
    const { json } = await ask(base, `/tasks?${query}${last && `&lastId=${last}`}`, 'taskcenter')
    for (const task of json.value) {
      expect([task.modifiedAt, task.urn].join(' ') > this.place.join(' ')).toBe(true)
      this.place = [task.modifiedAt, task.urn]
      this.seen.set(task.urn, task)
    }
    return json.value.length
  }
}

several('two instances', () => {
  beforeAll(async () => {
    const shop = await openShop('pair-of-two', TASKS)
    await caughtUp()
    ids = Array.from({ length: TASKS }, () => shop.take())
    second = await Instance.start()
  })

  afterAll(() => second?.end())

  it('both change tasks at once, and a reader of both knows the last state of each', async () => {
    const reader = new Reader()
    const statuses = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const changes = bases().flatMap((base, at) =>
        [0, 1, 2].map(async (offset) => {
          const urn = urnOf(ids[(round * 3 + at + offset) % TASKS]!)
          const code = (round + offset) % 2 ? 'claim' : 'release'
          const user = at ? 'buyer' : 'approver'
          const { status } = await ask(base, `/tasks/${urn}/action?languages=en`, user, { code })
          statuses.add(status)
        }),
      )
      await Promise.all([...changes, reader.pull(bases()[round % 2]!)])
    }
    const approvals = await Promise.all(
      bases().map((base, at) =>
        ask(base, `/tasks/${urnOf(ids[0]!)}/response?languages=en`, at ? 'buyer' : 'approver', {
          code: 'approve',
        }),
      ),
    )
    expect(approvals.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    while (await reader.pull(bases()[1]!));
    expect(statuses).toEqual(new Set([200, 409]))
    for (const ID of ids) {
      const path = `/tasks/${urnOf(ID)}?languages=en`
      const { json } = await ask(bases()[0]!, path, 'taskcenter')
      const mine = reader.seen.get(urnOf(ID))!
      // Only the address in the link is that of the instance that was asked.
      expect({ ...mine, uiLink: '' }).toEqual({ ...json, uiLink: '' })
    }
  })
})
