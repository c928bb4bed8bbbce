// Upgrades a database of a former version: the file before the deployment, its rows after it. Each step may be
// killed anywhere and be done again.
import { forgetTasks } from '../cap/queue.ts'
import { convertJoinedColumns } from './joined-columns.ts'
import { DROPPED_EVENTS } from './steps.ts'
import { addMissingKeys } from './unique-keys.ts'

export { addMissingKeys }
export { dropFromFile } from './sqlite-file.ts'

/** After the deployment and before anything is served. */
export async function upgradeRows() {
  await addMissingKeys()
  await convertJoinedColumns()
  for (const { service, event } of DROPPED_EVENTS) await forgetTasks(service, event)
}
