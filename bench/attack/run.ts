// 100 attack bodies per door at 512 MB of heap, while others go on working: see README.md.
import { setTimeout as sleep } from 'node:timers/promises'
import { loadavg } from 'node:os'
import { type Restock, startRestock } from '../serve/service.ts'
import { ANYWHERE, approvals, type Attack, batches } from './bodies.ts'
import { basic, Others } from './others.ts'
import { send } from './send.ts'

const BODIES = 100
const AT_ONCE = 10

interface Door {
  name: string
  path: string
  /** Headers of somebody who is signed in; as in the demo. */
  headers: Record<string, string>
  attacks: Attack[]
}

const doorsOf = ({ headers }: Restock): Door[] => {
  const door = (name: string, path: string, user: string, further: Attack[] = []): Door => ({
    ...{ name, path, headers: { Authorization: basic(user) } },
    attacks: [...further, ...ANYWHERE],
  })
  return [
    { ...door('`/v1`', '/v1/forecasts/batch', 'buyer'), headers },
    door('buyer (V4)', '/odata/v4/buyer/$batch', 'approver', [
      ...batches('Proposals'),
      approvals(),
    ]),
    door('admin (V4)', '/odata/v4/admin/$batch', 'admin', batches('Sources')),
    door('My Inbox (V2)', '/odata/v2/TASKPROCESSING/$batch', 'approver', batches('TaskCollection')),
    door('My Inbox (V4)', '/odata/v4/TASKPROCESSING/$batch', 'approver', batches('TaskCollection')),
    door('Task Center', '/task-provider/v2/tasks/urn/response', 'approver'),
    door('OAuth callback', '/oauth/callback?state=x', 'approver'),
    door('apps', '/apps/shell/home.html', 'approver'),
    door('docs', '/docs', 'approver'),
  ]
}

const megabytes = async (restock: Restock) => Math.round((await restock.memory()) / 1e6)

async function attack(restock: Restock, door: Door) {
  const { origin } = new URL(restock.url)
  const token = door.path.includes('TASKPROCESSING') ? await csrfToken(origin) : {}
  const before = await megabytes(restock)
  const others = new Others(origin, restock.headers)
  const counts = new Map<string, number>()
  let [highest, next] = [before, 0]
  const sender = async () => {
    while (next < BODIES) {
      const each = door.attacks[next++ % door.attacks.length]!
      const headers = each.signedIn ? { ...door.headers, ...token } : {}
      const status = await send(origin, each.path ?? door.path, each, headers)
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (process.env.BENCH_VERBOSE) console.error(door.name, each.name, status)
      highest = Math.max(highest, await megabytes(restock))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  const { p50, p99, worst } = await others.stop()
  await sleep(3_000)
  const after = await megabytes(restock)
  const answers = [...counts].sort().map(([status, count]) => `${count} × ${status}`)
  const load = loadavg()[0]!.toFixed(0)
  const cells = [door.name, answers.join(', '), others.failed, p50, p99, worst]
  console.log(`| ${[...cells, `${before}, ${highest}, ${after}`, load].join(' | ')} |`)
}

async function csrfToken(origin: string) {
  const headers = { Authorization: basic('approver'), 'X-CSRF-Token': 'Fetch' }
  const answer = await fetch(`${origin}/odata/v2/TASKPROCESSING/`, { headers })
  return { 'X-CSRF-Token': answer.headers.get('X-CSRF-Token')! }
}

async function calm(restock: Restock) {
  const { origin } = new URL(restock.url)
  const others = new Others(origin, restock.headers)
  await sleep(10_000)
  const { p50, p99, worst } = await others.stop()
  const cells = ['no attack', '–', others.failed, p50, p99, worst, await megabytes(restock)]
  console.log(`| ${[...cells, loadavg()[0]!.toFixed(0)].join(' | ')} |`)
}

const restock = await startRestock({
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512',
  MALLOC_ARENA_MAX: '2',
})
try {
  console.log('| door | answers | others failed | p50 | p99 | worst | MB | load |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  await calm(restock)
  const wanted = process.env.BENCH_DOOR
  const doors = doorsOf(restock).filter(({ name }) => !wanted || name.includes(wanted))
  for (const door of doors) await attack(restock, door)
  await calm(restock)
} finally {
  await restock.stop()
}
