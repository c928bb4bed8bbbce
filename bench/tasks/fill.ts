// Creates the proposals and their tasks in its own process and reports how long that took.
import { startServices } from '../support/services.ts'

const { cds, stop } = await startServices()
const { advanceTasks } = await import('../../srv/doors/tasks/feed/advance.ts')
const { prepareFeed } = await import('../../srv/doors/tasks/feed/feed.ts')
const { refreshProposals } = await import('../../srv/domain/proposals/index.ts')
const { SOURCE, writePairs } = await import('../proposals/pairs.ts')

await prepareFeed()
await writePairs(Number(process.argv[2]))
// The feed is set up before the proposals are created, like in the service.
await advanceTasks()
await refreshProposals({ source: SOURCE, sync: null })
const begun = performance.now()
await advanceTasks()
const seconds = (performance.now() - begun) / 1000
const { SELECT } = cds.ql
const { tasks, stamps, last } = (await SELECT.one
  .from('restock.Tasks')
  .columns('count(*) as tasks', 'count(distinct stamp) as stamps', 'max(stamp) as last')) as Record<
  string,
  unknown
>
const ahead = Math.max(0, Number(last) - Date.now())
process.send!({ tasks: Number(tasks), stamps: Number(stamps), ahead, seconds })
await stop()
process.exit(0)
