// Restarts two instances in turns under load, and upgrades them from another checkout and back: see README.md.
//   node bench/rolling/run.ts [--from <folder of the release before>] [--times 3]
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { moveStock, SKUS, writeCompany } from '../outages/company.ts'
import { Decisions } from '../outages/decisions.ts'
import { Instance } from '../outages/instance.ts'
import { type Answer, Load } from '../outages/load.ts'
import { Postgres } from '../outages/postgres.ts'
import { Balancer } from './balancer.ts'
import { countLost, environmentOf } from './company.ts'

const { values } = parseArgs({
  options: { from: { type: 'string' }, times: { type: 'string', default: '3' } },
})
const own = path.resolve(import.meta.dirname, '../..')
const before = values.from ? path.resolve(values.from) : own
const times = Number(values.times)

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-rolling-'))
const logs = path.join(import.meta.dirname, 'results')
mkdirSync(logs, { recursive: true })
writeCompany(path.join(folder, 'company'))
const postgres = new Postgres({ hasDisk: false })
await postgres.start()
const { credentials } = postgres

const environment = environmentOf(credentials, folder, {
  ...{ full: 'off', incremental: '* * * * *', housekeeping: '* * * * *' },
})

/** Makes the tables of a checkout's release. */
const deploy = (root: string) =>
  promisify(execFile)('npm', ['run', '--silent', 'deploy'], { cwd: root, env: environment })

const instances = ['a', 'b'].map(
  (name) => new Instance(name, environment, path.join(logs, `${name}.log`), before),
)
const balancer = new Balancer(instances)
const load = new Load()
const decisions = new Decisions()

try {
  await deploy(before)
  for (const instance of instances) await instance.start()
  await readCompany(instances[0]!)
  await rollUnderLoad()
} finally {
  balancer.close()
  await Promise.allSettled(instances.map((instance) => instance.end()))
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function readCompany(one: Instance) {
  const wish = { type: 'csv', account: 'company', role: 'r' }
  const source = (await one.call('POST', '/sources', wish)).json as { id: string }
  await one.call('POST', `/sources/${source.id}/sync`, { mode: 'full' })
  while (!(await countSyncs("status IN ('succeeded', 'partial')"))) await sleep(250)
}

async function rollUnderLoad() {
  const loading = load.run(instances, (each) => balancer.sendsTo(each), SKUS)
  const deciding = decisions.run(instances)
  const moving = setInterval(() => moveStock(path.join(folder, 'company')), 15_000)
  await sleep(5_000)
  for (let time = 1; time <= times; time++) {
    if (before === own) await roll(`${time}. restart`, own)
    else {
      await roll(`${time}. to this release`, own, () => deploy(own))
      await roll(`${time}. back`, before)
    }
  }
  clearInterval(moving)
  decisions.stop()
  load.stop()
  await Promise.all([deciding, loading])
  const accepted = decisions.decided.filter(({ status }) => status < 300)
  const lost = await countLost(postgres, accepted)
  const [syncs, failedSyncs] = [await countSyncs('true'), await countSyncs("status = 'failed'")]
  console.log(JSON.stringify({ decisions: decisions.decided.length, lost, syncs, failedSyncs }))
  const failed = load.answers.filter(({ status }) => status !== 200).length
  if (failed + lost + failedSyncs) process.exitCode = 1
}

/** One instance after the other ends and is started anew, and calls are counted until both serve again. */
async function roll(what: string, root: string, before?: () => Promise<unknown>) {
  const from = Date.now()
  await before?.()
  const ends: number[] = []
  for (const instance of instances) {
    ends.push(await instance.end())
    instance.root = root
    await instance.start()
    await balancer.untilItSendsTo(instance)
  }
  await sleep(5_000)
  const answers = load.answers.filter(({ at }) => at >= from)
  console.log(JSON.stringify({ what, seconds: (Date.now() - from) / 1000, ends, ...sum(answers) }))
}

function sum(answers: Answer[]) {
  const statuses = Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  )
  const lookups = answers.filter(({ kind }) => kind === 'lookup').map(({ ms }) => ms)
  lookups.sort((a, b) => a - b)
  const at = (share: number) => lookups[Math.floor(share * (lookups.length - 1))]
  const faults = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [] : [body])))
  return {
    ...{ calls: answers.length, statuses, p50: at(0.5), p99: at(0.99) },
    ...{ longest: Math.max(...answers.map(({ ms }) => ms)), faults: [...faults].slice(0, 3) },
  }
}

async function countSyncs(where: string) {
  const [row] = await postgres.query<{ n: string }>(
    `SELECT count(*) AS n FROM restock_syncs WHERE ${where}`,
  )
  return Number(row!.n)
}
