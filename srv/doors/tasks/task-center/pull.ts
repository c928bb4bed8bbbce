// The data that Task Center reads: definitions, and tasks in the order in which they changed.
import type { RequestHandler } from 'express'
import { DEFINITION, publicUrl } from '../texts.ts'
import { readAs, Tasks } from '../../../base/database/entities.ts'
import { notFound } from '../refusal.ts'
import { keepShown, TASK_CENTER, type TaskRow, toTask } from '../task.ts'
import { findTask } from '../inbox.ts'
import { definition, toSpiTasks } from './to-spi-task.ts'
import { languages, lastId, localIdOf, modifiedAfter, placeAfter, whole } from './parameters.ts'

const PAGE = 100
const MOST = 1000
const FARTHEST = 2_147_483_647

export const capabilities: RequestHandler = (_req, res) => {
  res.json({
    value: [
      { name: 'tasks.pull', value: 'true' },
      { name: 'taskDefinitions.pull', value: 'true' },
      { name: 'tasks.push', value: 'false' },
    ],
  })
}

export const definitions: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const top = whole(req, '$top', 1, MOST, PAGE)
  const skip = whole(req, '$skip', 0, FARTHEST, 0)
  res.json({ value: [await definition(wanted)].slice(skip, skip + top) })
}

export const oneDefinition: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  if (localIdOf('taskdefinition', String(req.params.urn)) !== DEFINITION) {
    throw notFound('There is no such task definition.')
  }
  res.json(await definition(wanted))
}

/** Ordered by (modifiedAt, urn). */
export const tasks: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const [stamp, last, top] = [modifiedAfter(req), lastId(req), whole(req, '$top', 0, MOST, PAGE)]
  const found = await tasksFrom(stamp, last === null ? '' : placeAfter(last), top)
  const value = await toSpiTasks(found, wanted, publicUrl())
  await keepShown(found, TASK_CENTER)
  res.json({ value })
}

/**
 * Tasks in the order of (stamp, place), read in one statement, so that no change is missed.
 * @param place continues after it within the stamp; empty for its beginning
 */
async function tasksFrom(stamp: number, place: string, top: number) {
  if (!top) return []
  const rows = await readAs<TaskRow>(
    SELECT.from(Tasks).where`stamp >= ${stamp} and (stamp > ${stamp} or place > ${place})`
      .orderBy('stamp', 'place')
      .limit(top),
  )
  return rows.map(toTask)
}

export const oneTask: RequestHandler = async (req, res) => {
  const wanted = languages(req)
  const task = await findTask(taskIn(req))
  const [answer] = await toSpiTasks([task], wanted, publicUrl())
  await keepShown([task], TASK_CENTER)
  res.json(answer)
}

/** The local id in a path. @throws TaskRefusal 404 */
export function taskIn({ params }: Pick<Parameters<RequestHandler>[0], 'params'>): string {
  const localId = localIdOf('task', String(params.urn))
  if (localId === null) throw notFound()
  return localId
}
