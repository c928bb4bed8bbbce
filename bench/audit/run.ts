// node bench/audit/run.ts [--events 100000]: see README.md
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startServicesOnFile } from '../support/services.ts'

const { values } = parseArgs({ options: { events: { type: 'string', default: '100000' } } })
const events = Number(values.events)
const { cds, stop } = await startServicesOnFile('audit')
const { sealNow, verifyNow } = await import('../../srv/domain/audit/index.ts')

const CHUNK = 500

/** Writes proposals with their events like a proposal run. */
async function write() {
  for (let at = 0; at < events; at += CHUNK) {
    const entries = Array.from({ length: Math.min(CHUNK, events - at) }, (_, index) => ({
      ...{ ID: randomUUID(), proposal: at + index + 1, version: 1, quantity: 120 },
      ...{ at: new Date().toISOString(), actor: 'system', via: 'system', event: 'created' },
      ...{ comment: null, onBehalfOf: null },
    }))
    const proposals = entries.map(({ proposal: ID, version, quantity }) => {
      return { ID, version, quantity, status: 'pending' }
    })
    await cds.tx(async () => {
      await cds.ql.INSERT.into('restock.Proposals').entries(proposals)
      await cds.ql.INSERT.into('restock.ProposalEvents').entries(entries)
    })
  }
}

async function measure(name: string, work: () => Promise<unknown>) {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(used)
  console.log(`| ${name} | ${seconds.toFixed(1)} | ${((user + system) / 1e6).toFixed(1)} |`)
}

try {
  console.log(`${events} events\n\n| step | seconds | CPU s |\n| ---- | ------- | ----- |`)
  await measure('written', write)
  await measure('sealed', sealNow)
  await measure('verified', () => verifyNow())
} finally {
  await stop()
}
