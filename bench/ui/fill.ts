// fill.ts PAIRS: creates the proposals in the configured database with a normal proposal run.
import { startServices } from '../support/services.ts'

const { cds, stop } = await startServices()
const { refreshProposals } = await import('../../srv/domain/proposals/index.ts')
const { SOURCE, writePairs } = await import('../proposals/pairs.ts')

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
const refreshed = await refreshProposals({ source: SOURCE, sync: null })
process.send!(refreshed.proposed)
await stop()
process.exit(0)
