// A task as SAP Task Center reads it.
import { attributesOf, DEFINITION } from '../definition.ts'
import { uiLinkOf } from '../links.ts'
import { globalIdsOf } from '../person.ts'
import { type Audience, audiences } from '../read.ts'
import { instance } from '../settings.ts'
import { subjectOf } from '../texts.ts'
import type { Task } from '../task.ts'
import { ACTIONS, localized, RESPONSES } from './definition.ts'
import type { Wanted } from './parameters.ts'
import { urnOf } from './urn.ts'

interface Known {
  wanted: Wanted[]
  base: string
  audience: Audience | undefined
  globalIds: Map<string, string>
}

export async function toSpiTasks(tasks: Task[], wanted: Wanted[], base: string) {
  const known = await audiences()
  const people = tasks.flatMap(({ processor, completedBy, audience }) => [
    ...[processor ?? [], completedBy ?? []].flat(),
    ...(known.get(audience)?.users ?? []),
  ])
  const globalIds = await globalIdsOf(people)
  return tasks.map((task) =>
    toSpiTask(task, { wanted, base, audience: known.get(task.audience), globalIds }),
  )
}

const MOST_USERS = 100

function toSpiTask(task: Task, { wanted, base, audience, globalIds }: Known) {
  const idOf = (user: string | null) => (user === null ? null : (globalIds.get(user) ?? null))
  const processor = idOf(task.processor)
  const users = (audience?.users ?? []).flatMap((user) => globalIds.get(user) ?? [])
  // A processor must be among the recipients.
  const recipients = [...new Set([...(processor ? [processor] : []), ...users])]
  return {
    urn: urnOf('task', task.localId),
    ...instance(),
    localId: task.localId,
    definitionId: urnOf('taskdefinition', DEFINITION),
    status: task.status,
    createdAt: task.createdAt,
    modifiedAt: new Date(task.stamp).toISOString(),
    subject: localized(wanted, ({ language }) => subjectOf(task, language)),
    createdBy: null,
    processor,
    dueAt: task.dueAt,
    completedAt: task.completedAt,
    completedBy: idOf(task.completedBy),
    priority: task.priority,
    uiLink: uiLinkOf(task, base),
    recipientUsers: recipients.slice(0, MOST_USERS),
    recipientGroups: audience?.groups ?? [],
    ...codesOf(task),
    customAttributes: attributesOf(task),
  }
}

/** What is possible in this status; `[]` is nothing. */
function codesOf({ status }: Task) {
  if (status === 'READY') return { validResponseCodes: [...RESPONSES], validActionCodes: ['claim'] }
  if (status === 'RESERVED') {
    return { validResponseCodes: [...RESPONSES], validActionCodes: [...ACTIONS] }
  }
  if (status === 'FOR_RESUBMISSION') return { validResponseCodes: ['reject'], validActionCodes: [] }
  return { validResponseCodes: [], validActionCodes: [] }
}
