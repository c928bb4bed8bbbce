// The lines of a supplier order's task, each of which may be excluded or given another quantity.
import type { ProposalStatus } from '#cds-models/restock'
import { Proposals, readAs, TaskLines } from '../store/entities.ts'
import { changeTasks, updateTasks } from './feed/advance.ts'
import { linesOf } from './feed/orders.ts'
import type { Person } from './person.ts'
import { invalid, notFound } from './refusal.ts'
import { keepShown } from './shown.ts'
import { assertFree, findTask, openTaskFor } from './work.ts'

interface LineChange {
  /** prop_1042 */
  proposal: string
  excluded?: boolean
  /** Null for the proposed one. */
  quantity?: number | null
}

/** @returns all lines as they are then */
export async function changeLines(person: Person, localId: string, changes: LineChange[]) {
  const task = await openTaskFor(person, localId)
  if (task.proposal !== null) throw notFound('This task has no lines.')
  if (changes.length) {
    assertFree(task, person)
    await storeLines(localId, changes)
  }
  await keepShown([await findTask(localId)], { door: 'task_center', user: person.id })
  return linesOfTask(localId)
}

async function storeLines(localId: string, changes: LineChange[]) {
  const known = await linesOf({ task: localId })
  const ids = changes.map(({ proposal }) => Number(proposal.slice('prop_'.length)))
  const unknown = ids.findIndex((id) => !known.some(({ proposal }) => proposal === id))
  if (unknown >= 0) throw invalid(`lines.${unknown}.proposal`, 'is no line of this task')
  await changeTasks(async () => {
    for (const [index, { excluded, quantity }] of changes.entries()) {
      const set = {
        ...(excluded === undefined ? {} : { excluded }),
        ...(quantity === undefined ? {} : { quantity }),
      }
      if (!Object.keys(set).length) continue
      await UPDATE.entity(TaskLines).set(set).where({ task: localId, proposal: ids[index] })
    }
  })
  await updateTasks([ids[0]!])
}

interface ProposalRow {
  ID: number
  sku: string
  location: string
  quantity: number
  status: ProposalStatus
}

async function linesOfTask(localId: string) {
  const lines = await linesOf({ task: localId })
  const rows = await readAs<ProposalRow>(
    SELECT.from(Proposals)
      .columns('ID', 'sku', 'location', 'quantity', 'status')
      .where({ ID: { in: lines.map(({ proposal }) => proposal) } }),
  )
  return lines.flatMap(({ proposal, excluded, quantity }) => {
    const row = rows.find(({ ID }) => ID === proposal)
    if (!row) return []
    const { sku, location, status } = row
    return [
      {
        ...{ proposal: `prop_${proposal}`, sku, location, status, excluded },
        quantity: quantity ?? Number(row.quantity),
        proposedQuantity: Number(row.quantity),
      },
    ]
  })
}
