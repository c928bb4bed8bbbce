// Makes the proposals and their tasks, in a process of its own: prints what that took.
import path from 'node:path'

process.env.CDS_TYPESCRIPT = 'true'
const { default: cds } = await import('@sap/cds')
const { prepareConnections } = await import('../../srv/connections.ts')
const { prepareCounters } = await import('../../srv/store/counters.ts')
const { advance } = await import('../../srv/tasks/feed/advance.ts')
const { prepareFeed } = await import('../../srv/tasks/feed/feed.ts')
const { SOURCE, writePairs } = await import('../proposals/pairs.ts')

interface Deploying {
  deploy(model: object): { to(db: unknown): Promise<void> }
}

cds.root = path.resolve(import.meta.dirname, '../..')
const model = await cds.load(['db', 'db/sqlite', 'srv'])
cds.model = cds.compile.for.nodejs(model)
cds.on('connect', (service) => {
  if (service.name === 'db') prepareConnections(service as never)
})
const db = await cds.connect.to('db')
await (cds as unknown as Deploying).deploy(model).to(db)
await cds.serve('all')
await prepareCounters()
await prepareFeed()
await writePairs(Number(process.argv[2]))
// The feed is set up before the proposals are there, as where the service runs.
await advance()
const proposals = await cds.connect.to('ProposalsService')
await proposals.send('refresh', { source: SOURCE, sync: null })
const begun = performance.now()
await advance()
const seconds = (performance.now() - begun) / 1000
const { SELECT } = cds.ql
const { tasks, stamps, last } = await SELECT.one
  .from('restock.Tasks')
  .columns('count(*) as tasks', 'count(distinct stamp) as stamps', 'max(stamp) as last')
const ahead = Math.max(0, Number(last) - Date.now())
process.send!({ tasks: Number(tasks), stamps: Number(stamps), ahead, seconds })
await (db as unknown as { disconnect(): Promise<void> }).disconnect()
process.exit(0)
