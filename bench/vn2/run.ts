// Plays the VN2 Inventory Planning Challenge through Restock's own doors: see README.md.
//   node bench/vn2/run.ts <folder of the contest's files> [--dated mondays|sundays|days] [--costs shipped] [--unmet lost|backordered]
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Instance } from '../../test/support/instance.ts'
import { addWeeks, readContest, RULES, Shelf } from './contest.ts'
import { type Dating, DATINGS, type Order, UNIT_COST, writeFiles } from './files.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dated: { type: 'string', default: 'mondays' },
    costs: { type: 'string', default: 'contest' },
    unmet: { type: 'string', default: 'lost' },
  },
})
const dating = values.dated as Dating
const [from] = positionals
if (!from || !DATINGS.includes(dating))
  throw new Error(`node bench/vn2/run.ts <folder> [--dated ${DATINGS.join('|')}]`)

const contest = readContest(path.resolve(from))
const shelves = new Map(contest.pairs.map((pair) => [pair, new Shelf(pair)]))
const orders: Order[] = contest.pairs.flatMap((pair) =>
  pair.coming.map((quantity, at) => ({
    ...{ pair, quantity, due: contest.weeks[at]!, reference: '' },
  })),
)
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-vn2-'))
const files = path.join(folder, 'contest')
const WEEKS_A_YEAR = 365 / 7
process.env.RESTOCK_CSV_ROOT = folder
process.env.RESTOCK_RATE_LIMIT = 'off'
process.env.RESTOCK_CSV_SETTLE_SECONDS = '0'
process.env.CDS_CONFIG = JSON.stringify({
  requires: { db: { credentials: { url: path.join(folder, 'restock.sqlite') } } },
  restock: {
    unmetDemand: values.unmet,
    ...(values.costs === 'contest' && {
      stockoutCostShare: RULES.shortage / UNIT_COST,
      carryingCostSharePerYear: (RULES.carrying * WEEKS_A_YEAR) / UNIT_COST,
    }),
    schedules: { full: 'off', incremental: 'off', housekeeping: 'off' },
  },
})

try {
  for (let week = 0; week < RULES.weeks; week++) {
    if (week < RULES.orders) await decide(week)
    for (const [pair, shelf] of shelves) shelf.pass(pair.real[week]!)
    const all = [...shelves.values()]
    const sum = (of: (shelf: Shelf) => number) => all.reduce((total, each) => total + of(each), 0)
    console.log(
      [
        `week ${week + 1}`,
        `on hand ${sum(({ onHand }) => onHand)}`,
        `short so far ${sum(({ short }) => short)}`,
        `cost so far ${sum(({ cost }) => cost).toFixed(1)}`,
      ].join(' | '),
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** On the Monday of a week: sync, take every proposal, and approve it. */
async function decide(week: number) {
  writeFiles(files, contest, shelves, orders, week, dating)
  // Early in the morning, before the shop opens.
  const now = Date.parse(`${contest.weeks[week]}T05:00:00Z`)
  const env = {
    BENCH_NOW: String(now),
    NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'clock.ts')).href}`,
  }
  const instance = await Instance.start({ env })
  try {
    if (week === 0)
      await instance.call('POST', '/sources', { type: 'csv', account: 'contest', role: 'reader' })
    const source = (await instance.call('GET', '/sources')).json as { data: { id: string }[] }
    const { id } = source.data[0]!
    const sync = await instance.call('POST', `/sources/${id}/sync`, { mode: 'full' })
    await untilDone(instance, id, (sync.json as { id: string }).id)
    for (const { id: proposal, sku, location, quantity } of await pending(instance)) {
      const pair = contest.pairs.find(
        ({ product, store }) => product === sku && store === location,
      )!
      shelves.get(pair)!.order(quantity)
      const due = addWeeks(contest.weeks[week]!, RULES.leadWeeks)
      orders.push({ pair, quantity, due, reference: proposal })
      const { status } = await instance.call('POST', `/proposals/${proposal}/approve`, {})
      if (status !== 200) throw new Error(`${proposal} was not approved: ${status}`)
    }
  } finally {
    await instance.end()
  }
}

async function untilDone(instance: Instance, source: string, sync: string) {
  for (;;) {
    const { json } = await instance.call('GET', `/sources/${source}/syncs`)
    const { data } = json as { data: { id: string; status: string; issues: unknown[] }[] }
    const { status, issues } = data.find(({ id }) => id === sync)!
    if (status === 'succeeded') return
    if (!['queued', 'running'].includes(status))
      throw new Error(`${status}: ${JSON.stringify(issues)}`)
    await sleep(500)
  }
}

interface Proposal {
  id: string
  sku: string
  location: string
  quantity: number
}

async function pending(instance: Instance): Promise<Proposal[]> {
  const found: Proposal[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const rest: string = cursor && `&cursor=${cursor}`
    const { json } = await instance.call(
      'GET',
      `/proposals?status=pending&limit=200${rest}` as never,
    )
    const page = json as { data: Proposal[]; next_cursor: string | null }
    found.push(...page.data)
    cursor = page.next_cursor
  }
  return found
}
