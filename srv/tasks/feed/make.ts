// From proposals to tasks, under the lock of the feed.
import { readAs, Tasks } from '../../store/entities.ts'
import type { TaskBasis } from '../settings.ts'
import type { Draft, Task } from '../task.ts'
import { audiencesFor } from './audience.ts'
import { draftOf, proposalsOf } from './draft.ts'
import { type Feed, writeTasks } from './feed.ts'
import { makeOrders } from './orders.ts'

/** Updates the tasks of these proposals. @returns whether any has changed */
export async function makeTasks(ids: number[], basis: TaskBasis, feed: Feed): Promise<boolean> {
  if (!ids.length) return false
  if (basis.bySupplier) return makeOrders(ids, basis, feed)
  const rows = await proposalsOf(ids)
  const claims = await claimsOf(rows.map(({ ID }) => `prop_${ID}`))
  const { audienceFor, keep } = await audiencesFor(rows, basis)
  const drafts: Draft[] = rows.map((row) =>
    draftOf(row, audienceFor(row), claims.get(`prop_${row.ID}`) ?? null),
  )
  await keep()
  return writeTasks(drafts, feed)
}

async function claimsOf(localIds: string[]): Promise<Map<string, string | null>> {
  const rows = await readAs<Pick<Task, 'localId' | 'processor'>>(
    SELECT.from(Tasks)
      .columns('localId', 'processor')
      .where({ localId: { in: localIds }, processor: { '!=': null } }),
  )
  return new Map(rows.map(({ localId, processor }) => [localId, processor]))
}
