// What an administrator should do now, most urgent first: each a sentence with the way to its cure.
import type { Request } from '@sap/cds'
import { hasMessage, message } from '../../texts.ts'
import { pageOf } from '../rows.ts'
import { accessTasks } from './access.ts'
import { dataTasks } from './data.ts'
import { sourceTasks } from './sources.ts'
import { trailTasks } from './trail.ts'
import type { Task } from './task.ts'

export async function readToDos(request: Request) {
  const tasks = [
    ...[...(await trailTasks()), ...(await sourceTasks())],
    ...[...(await dataTasks()), ...(await accessTasks())],
  ]
  return pageOf(request, tasks.toSorted(byUrgency).map(toRow))
}

const byUrgency = (a: Task, b: Task) => a.criticality - b.criticality

/** Where it is about one thing alone, the sentence in the singular, if there is one. */
function sentenceOf(key: string, { count }: Task['places']) {
  const singular = `todo_${key}_one`
  return count === 1 && hasMessage(singular) ? singular : `todo_${key}`
}

const toRow = ({ key, places, criticality, cure, link }: Task, at: number) => ({
  ...{ position: at + 1, code: key, criticality, link },
  text: message(sentenceOf(key, places), places),
  cure: message(`todo_cure_${cure}`),
})
