// Nothing makes the agent's door decide, show rows that its key does not see, or tell a secret; not even with a key that may
// decide elsewhere. `AGENT_TRIES=10000` makes a long run of it (bench/attack/agent.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import cds from '@sap/cds'
import {
  ApiKeys,
  Evidence,
  Exceptions,
  HandOvers,
  ProposalEvents,
  Proposals,
  Webhooks,
} from '../../../srv/base/database/entities.ts'
import fc from '../../support/properties.ts'
import { serverUrl } from '../../support/server.ts'
import { BOUND, leaksIn, openTwoLocations, type TwoLocations } from '../authority/two-locations.ts'
import { aKey, post } from './api.ts'
import { triesOf, type Try } from './agent-tries.ts'

const { SELECT } = cds.ql

const TRIES = Number(process.env.AGENT_TRIES ?? (process.env.ALL_CASES === 'true' ? 300 : 100))

/** What must not leave the service. */
const INTERNALS = /\bat .*\.(ts|js):|node_modules|SELECT |INSERT |sqlite|postgres|restock\.[A-Z]/

const UNSEEN_NAMES = ['FAR-0', 'FAR-S', 'FARAWAY', 'ALIEN-0', 'ALIEN-S']

let two: TwoLocations

beforeAll(async () => {
  two = await openTwoLocations()
})

/** All that a decision would change. */
async function decided() {
  const rows = await SELECT.from(Proposals)
    .columns('ID', 'status', 'version', 'quantity', 'decidedBy')
    .orderBy('ID')
  const events = await SELECT.from(ProposalEvents).columns('ID', 'event')
  return {
    rows,
    events: events.filter(({ event }) => event !== 'recommended').length,
    evidence: (await SELECT.from(Evidence).columns('event')).length,
    settled: (await SELECT.from(Exceptions).columns('ID', 'settledAt')).filter(
      ({ settledAt }) => settledAt,
    ),
    handOvers: (await SELECT.from(HandOvers).columns('ID')).length,
    keys: (await SELECT.from(ApiKeys).columns('ID', 'revokedAt')).length,
  }
}

/** Once what the rules of the test have changed is calculated anew. */
async function settled() {
  for (let before = await decided(); ;) {
    await sleep(1_500)
    const now = await decided()
    if (isDeepStrictEqual(before, now)) return now
    before = now
  }
}

/** One that is as it should be, so that some are. */
const draftOf = (ID: number): Try => ({
  ...{ method: 'POST', path: '', headers: {} },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      name: 'draft_decision',
      arguments: { id: `prop_${ID}`, action: 'reject', comment: 'Too much.' },
    },
  }),
})

/** Texts of its own that a refusal may repeat are no leak. */
function withoutEcho(text: string, { body, path }: Try): string {
  const own = [...`${body}${path}`.matchAll(/(FAR|ALIEN)[\w-]*/gi)].map(([name]) => name)
  return own.reduce((rest, name) => rest.replaceAll(name, ''), text)
}

const count = { answered: 0, refused: 0, drafted: 0 }

describe.each(BOUND)('a key of $id with every scope', (bound) => {
  let key: string
  const secrets: string[] = []

  beforeAll(async () => {
    key = await aKey({ actsAs: bound.id, name: `agent of ${bound.id}` })
    const other = await aKey({ actsAs: 'approver', name: 'another' })
    const hook = await post('/webhooks', { url: 'https://hooks.example.com/x' })
    const stored = await SELECT.from(Webhooks)
    secrets.push(key.slice(21), other.slice(21), (hook.json as { secret: string }).secret)
    secrets.push(...stored.flatMap((row) => (row as { secret?: string }).secret ?? []))
    secrets.push(...(await SELECT.from(ApiKeys)).flatMap(({ secretHash }) => secretHash ?? []))
  })

  const send = ({ method, path, headers, body }: Try) =>
    fetch(`${serverUrl()}/mcp${path}`, {
      ...{ method, body },
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    })

  it(
    'decides nothing, sees no other rows and tells no secret',
    async () => {
      const before = await settled()
      const known = {
        seen: two.seen(bound.rows),
        unseen: two.unseen(bound.rows),
        names: UNSEEN_NAMES,
      }
      await fc.assert(
        fc.asyncProperty(triesOf(known), async (one) => {
          const answer = await send(one)
          const text = await answer.text()
          expect(answer.status).toBeLessThan(500)
          expect(leaksIn(withoutEcho(text, one), bound)).toEqual([])
          expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
          // What was sent may come back in a draft.
          if (!INTERNALS.test(one.body)) expect(text).not.toMatch(INTERNALS)
          if (text.includes('"answer":')) count.answered++
          else count.refused++
          if (text.includes('"by":"agent of')) count.drafted++
        }),
        {
          numRuns: Math.ceil(TRIES / BOUND.length),
          examples: known.seen.map((ID) => [draftOf(ID)]),
        },
      )
      expect(await decided()).toEqual(before)
      const others = await SELECT.from(Proposals)
        .columns('recommendation')
        .where({ ID: { in: known.unseen }, recommendation: { '!=': null } })
      expect(JSON.stringify(others)).not.toContain(`agent of ${bound.id}`)
      // By itself the key may decide: only the door does not.
      const [pending] = before.rows.filter(
        ({ ID, status }) => status === 'pending' && known.seen.includes(ID),
      )
      const body = { action: 'snooze', until: '2099-01-01T00:00:00Z' }
      const decisions = [{ ...body, id: `prop_${pending!.ID}` }]
      expect(
        (await post('/proposals/decisions', { decisions }, { key })).json.summary,
      ).toMatchObject({
        succeeded: 1,
      })
    },
    240_000 + TRIES * 100,
  )
})

afterAll(() => {
  // Tries that all fail early would prove nothing.
  expect(count.answered).toBeGreaterThan(TRIES / 10)
  expect(count.drafted).toBeGreaterThan(0)
  if (TRIES > 1000) process.stdout.write(`${JSON.stringify({ tries: TRIES, ...count })}\n`)
})
