// What an administrator should do now, most urgent first: each a sentence with the way to its cure.
import type { Request } from '@sap/cds'
import { message } from '../../texts.ts'
import { pageOf } from '../rows.ts'
import { accessTasks } from './access.ts'
import { dataTasks } from './data.ts'
import { sourceTasks } from './sources.ts'
import type { Task } from './task.ts'

export async function readToDos(request: Request) {
  const tasks = [...(await sourceTasks()), ...(await dataTasks()), ...(await accessTasks())]
  return pageOf(request, tasks.toSorted(byUrgency).map(toRow))
}

const byUrgency = (a: Task, b: Task) => a.criticality - b.criticality

const toRow = ({ key, places, criticality, cure, link }: Task, at: number) => ({
  ...{ position: at + 1, code: key, criticality, link },
  text: message(`todo_${key}`, places),
  cure: message(`todo_cure_${cure}`),
})
