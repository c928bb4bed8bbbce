// A task as SAP Task Center reads it.
import { attributesOf, DEFINITION } from '../definition.ts'
import { uiLinkOf } from '../links.ts'
import { globalIdsOf } from '../person.ts'
import { MOST_RECIPIENTS, type Recipients } from '../feed/recipients.ts'
import { audiences } from '../feed/audience.ts'
import { instance } from '../settings.ts'
import { subjectOf } from '../subject.ts'
import type { Task } from '../task.ts'
import { ACTIONS, localized, RESPONSES } from './definition.ts'
import type { RequestedLanguage } from './parameters.ts'
import { urnOf } from './urn.ts'

/** How tasks are shown, and to whom. */
interface ShownTask {
  wanted: RequestedLanguage[]
  base: string
  recipients: Recipients
  globalIds: Map<string, string>
}

export async function toSpiTasks(tasks: Task[], wanted: RequestedLanguage[], base: string) {
  const known = await audiences()
  const recipientsOf = ({ audience }: Task): Recipients => {
    const found = known.get(audience)
    return found?.recipients ?? found ?? { groups: [], users: [] }
  }
  const people = tasks.flatMap((task) => [
    ...[task.processor ?? [], task.completedBy ?? []].flat(),
    ...recipientsOf(task).users,
  ])
  const globalIds = await globalIdsOf(people)
  return tasks.map((task) =>
    toSpiTask(task, { wanted, base, recipients: recipientsOf(task), globalIds }),
  )
}

function toSpiTask(task: Task, { wanted, base, recipients, globalIds }: ShownTask) {
  const idOf = (user: string | null) => (user === null ? null : (globalIds.get(user) ?? null))
  const processor = idOf(task.processor)
  const users = recipients.users.flatMap((user) => globalIds.get(user) ?? [])
  // A processor must be among the recipients, and hides the task from the others; one whom Task Center does not know
  // cannot: then it is shown to nobody until it is released.
  const isHidden = task.processor !== null && processor === null
  const recipientUsers = isHidden ? [] : [...new Set([...(processor ? [processor] : []), ...users])]
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
    recipientUsers: recipientUsers.slice(0, MOST_RECIPIENTS),
    recipientGroups: isHidden ? [] : recipients.groups,
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
