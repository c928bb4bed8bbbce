// Task Center and its users, as the tests play them: real HTTP against the real service.
import { answerOf, type ODataAnswer } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { advanceTasks } from '../../../srv/doors/tasks/feed/advance.ts'
import type { toSpiTasks } from '../../../srv/doors/tasks/task-center/to-spi-task.ts'

export const PREFIX = 'urn:sap.odm.bpm.task:restock:default:default:'
export const DEFINITION =
  'urn:sap.odm.bpm.taskdefinition:restock:default:default:ORDER_PROPOSAL_APPROVAL'

export const urnOf = (ID: number) => `${PREFIX}prop_${ID}`

export interface Answer<Data = unknown> extends ODataAnswer<Data> {
  headers: Headers
}

interface Options {
  /** Whose name is also the password; null for nobody. */
  user?: string | null
  body?: unknown
  headers?: Record<string, string>
  root?: string
}

export const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

export async function call<Data = unknown>(
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<Data>> {
  const { user = 'taskcenter', body, headers, root = '/task-provider/v2' } = options
  const url = serverUrl()
  const response = await fetch(url + root + path, {
    method,
    headers: {
      ...(user && { Authorization: basic(user) }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { ...(await answerOf<Data>(response)), headers: response.headers }
}

export const pull = (query: string, options?: Options) =>
  call<{ value: SpiTask[] }>('GET', `/tasks?languages=en-US&${query}`, options)

export type SpiTask = Awaited<ReturnType<typeof toSpiTasks>>[number]

export const START = '2020-01-01T00:00:00.000Z'

/** Reads all changes after a place as Task Center does. */
export async function pullAll(
  from: { modifiedAfter: string; lastId: string | null },
  top = 1000,
): Promise<SpiTask[]> {
  const found: SpiTask[] = []
  for (let { modifiedAfter, lastId } = from; ;) {
    const last = lastId ? `&lastId=${encodeURIComponent(lastId)}` : ''
    const { status, json } = await pull(`modifiedAfter=${modifiedAfter}&$top=${top}${last}`)
    if (status !== 200) throw new Error(JSON.stringify(json))
    const page = json.value
    if (!page.length) return found
    found.push(...page)
    modifiedAfter = page.at(-1)!.modifiedAt
    lastId = page.at(-1)!.urn
  }
}

export const respond = (urn: string, body: object, user = 'approver') =>
  call<SpiTask>('POST', `/tasks/${encodeURIComponent(urn)}/response?languages=en-US`, {
    user,
    body,
  })

export const act = (urn: string, code: string, user = 'approver') =>
  call<SpiTask>('POST', `/tasks/${encodeURIComponent(urn)}/action?languages=en-US`, {
    user,
    body: { code },
  })

export const taskOf = (urn: string) =>
  call<SpiTask>('GET', `/tasks/${encodeURIComponent(urn)}?languages=en-US`)

/** Lets the tasks follow the proposals at once, instead of within a second. */
export const caughtUp = () => runDetached('tasks', advanceTasks)
