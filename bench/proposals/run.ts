// node bench/proposals/run.ts [--pairs 100000]: see README.md
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startServicesOnFile } from '../support/services.ts'

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '100000' } } })
const pairs = Number(values.pairs)
const { cds, stop } = await startServicesOnFile('proposals')
const { acquireRun } = await import('../../srv/base/work/runs.ts')
const { markForProposal } = await import('../../srv/base/database/proposal-marks.ts')
const { refreshProposals } = await import('../../srv/domain/proposals/index.ts')
const { SOURCE, writePairs } = await import('./pairs.ts')

/** Peak resident memory since `resetPeakMemory`, MB (Linux). */
function peakMemory(): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Starts a new measurement of peak memory. */
function resetPeakMemory() {
  globalThis.gc?.()
  writeFileSync('/proc/self/clear_refs', '5')
}

interface Measure {
  mode?: 'full' | 'incremental'
  change?: () => Promise<unknown>
}

let syncs = 0

/** The row of a sync, as far as a proposal run needs it. */
async function insertSync(mode: string): Promise<number> {
  const ID = ++syncs
  await cds.ql.INSERT.into('restock.Syncs').entries({
    ID,
    source_ID: SOURCE,
    mode,
    status: 'queued',
  })
  await acquireRun(ID)
  return ID
}

async function measure(name: string, { mode = 'full', change = async () => 0 }: Measure = {}) {
  await change()
  const sync = await insertSync(mode)
  const versions = await stateOf()
  resetPeakMemory()
  const [begun, used] = [performance.now(), process.cpuUsage()]
  const result = await refreshProposals({ source: SOURCE, sync })
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(used)
  const { total, sum, events } = await stateOf()
  const written = sum - versions.sum
  const cells = [
    ...[
      name,
      seconds.toFixed(1),
      ((user + system) / 1e6).toFixed(1),
      result.proposed,
      total - versions.total,
    ],
    ...[written - (total - versions.total), events - versions.events, peakMemory()],
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

/** The number of proposals, the sum of their versions, and the number of events. */
async function stateOf() {
  const { SELECT } = cds.ql
  const proposals = (await SELECT.one
    .from('restock.Proposals')
    .columns('count(*) as total', 'sum(version) as sum')) as Record<string, unknown>
  const events = (await SELECT.one
    .from('restock.ProposalEvents')
    .columns('count(*) as total')) as Record<string, unknown>
  return {
    total: Number(proposals.total),
    sum: Number(proposals.sum),
    events: Number(events.total),
  }
}

const moveStock = async (): Promise<unknown> =>
  await cds.ql.UPDATE.entity('restock.Stock').set`onHand = onHand * 0.5`
    .where`sku like '%7' and location in ('L3', 'L4', 'L5', 'L6', 'L7')`

/** Changes stock the way a sync does. */
const moveSome = async () => {
  const { SELECT, UPDATE } = cds.ql
  const some = { source_ID: SOURCE, location: { in: ['L0', 'L1', 'L2'] }, sku: { like: '%3' } }
  const rows = (await SELECT.from('restock.Stock')
    .columns('sku', 'location')
    .where(some)) as Parameters<typeof markForProposal>[1]
  await UPDATE.entity('restock.Stock').set`onHand = onHand * 0.5`.where(some)
  await cds.tx(() => markForProposal(SOURCE, rows))
}

try {
  await writePairs(pairs)
  console.log(`${pairs} pairs\n`)
  console.log('| run | seconds | CPU s | proposals | created | changed | events | peak MB |')
  console.log('| --- | ------- | ----- | --------- | ------- | ------- | ------ | ------- |')
  await measure('the first')
  await measure('without news')
  await measure('after 5 % of the stock moved', { change: moveStock })
  await measure('an incremental sync, 3 % of the stock moved', {
    ...{ mode: 'incremental', change: moveSome },
  })
  await measure('an incremental sync without news', { mode: 'incremental' })
} finally {
  await stop()
}
process.exit(0)
