// fill.ts PAIRS: makes the proposals in the configured database, by the run that makes them in service.
import path from 'node:path'

process.env.CDS_TYPESCRIPT = 'true'
const { default: cds } = await import('@sap/cds')
const { prepareConnections } = await import('../../srv/connections.ts')
const { prepareCounters } = await import('../../srv/store/counters.ts')
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
await writePairs(Number(process.argv[2]))
const { INSERT } = cds.ql
const names = (count: number, nameOf: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => ({ source_ID: SOURCE, ...nameOf(at) }))
await INSERT.into('restock.Suppliers').entries(
  names(300, (at) => ({ supplier: `S-${at}`, name: `Supplier ${at}` })),
)
await INSERT.into('restock.Locations').entries(
  names(10, (at) => ({ location: `L${at}`, name: `Location ${at}` })),
)
const proposals = await cds.connect.to('ProposalsService')
const { proposed } = await proposals.send('refresh', { source: SOURCE, sync: null })
process.send!(proposed)
await (db as unknown as { disconnect(): Promise<void> }).disconnect()
process.exit(0)
