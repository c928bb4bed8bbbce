import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Connection, Cursor, Page, StreamCheck } from '../../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import type { RecordKind, RecordOf } from '../../../../adapters/records.ts'
import { type DemandColumns, DemandPacker } from '../../../base/database/demand/columns.ts'

/** Pages that are stored in one transaction. The records of demand are in its columns. */
export interface PageGroup extends Page {
  demand?: DemandColumns
}

export const rowsOf = ({ records, demand }: PageGroup): number => demand?.length ?? records.length

/** The interval at which progress becomes visible, and the most work that a killed run loses. */
const GROUP_MS = 3_000

/** Rows that are best written at once. */
const RECORD_ROWS = 5_000
/** They are written in the order of their key: the more at once, the nearer they lie to each other. */
const DEMAND_ROWS = 60_000

/** Pages as one unit of commit, of about so many rows, and in a bounded time. */
export async function* groupPages(
  record: RecordKind,
  pages: AsyncIterable<Page>,
): AsyncGenerator<PageGroup> {
  const packer = record === 'demand' ? new DemandPacker() : null
  const groupRows = packer ? DEMAND_ROWS : RECORD_ROWS
  let group: Page[] = []
  let rows = 0
  let since = Date.now()
  for await (const page of pages) {
    packer?.add(page.records as RecordOf<'demand'>[])
    rows += page.records.length
    group.push(packer ? { ...page, records: [] } : page)
    if (rows < groupRows && Date.now() - since < GROUP_MS) continue
    yield joinPages(group, packer)
    group = []
    rows = 0
    since = Date.now()
  }
  if (group.length) yield joinPages(group, packer)
}

function joinPages(pages: Page[], packer: DemandPacker | null): PageGroup {
  const { cursor, progress, writtenAt } = pages.at(-1)!
  return {
    records: pages.flatMap(({ records }) => records as never[]),
    ...(packer && { demand: packer.take() }),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
    deleted: pages.flatMap(({ deleted }) => deleted ?? []),
    kept: pages.flatMap(({ kept }) => kept ?? []),
    reread: pages.flatMap(({ reread }) => reread ?? []),
    notes: pages.flatMap(({ notes }) => notes ?? []),
    cursor,
    progress,
    ...(writtenAt !== undefined && { writtenAt }),
  }
}

/** Reads the next item from the source while the previous one is stored; at most one item ahead. */
export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const ask = () => {
    const answer = iterator.next()
    // The consumer of the promise gets its error; until then it must not count as unhandled.
    answer.catch(() => {})
    return answer
  }
  try {
    for (let next = ask(); ;) {
      const answer = await next
      if (answer.done) return
      next = ask()
      yield answer.value
    }
  } finally {
    await iterator.return?.()
  }
}

// The messages between the service and its reading thread.

/** A source to be read until its port closes, or to be checked. */
export interface SourceRequest {
  type: string
  connection: Omit<Connection, 'credentials'>
  hasCredentials: boolean
  port: MessagePort
}

/** Sent to the port of a source: reads a stream, which is answered on its own port. */
export interface ReadStream {
  record: RecordKind
  since: Cursor | null
  port: MessagePort
}

/** Sent from the port of a stream, once for each NEXT that it receives. */
export type FromStream = { group: PageGroup } | { end: true } | { failure: Failure }

/** The answer to a check. */
export type Checked = { checks: StreamCheck[] } | { failure: Failure }

export const NEXT = 'next'

/** A question of the thread to the service, which answers on a port of its own. */
export interface Question {
  question: unknown
  reply: MessagePort
}

type Answer = { value: unknown } | { failure: Failure }

/** Asks the other side of a port. @throws what the other side has thrown | when the signal is aborted */
export async function ask<Value>(
  port: MessagePort,
  question: unknown,
  signal: AbortSignal,
): Promise<Value> {
  const { port1, port2: reply } = new MessageChannel()
  try {
    port.postMessage({ question, reply } satisfies Question, [reply])
    const [answer] = (await once(port1, 'message', { signal })) as [Answer]
    if ('failure' in answer) throw errorOf(answer.failure)
    return answer.value as Value
  } finally {
    port1.close()
  }
}

/** Answers all questions that come through a port, also while its other messages wait. */
export function answerQuestions(port: MessagePort, answer: (question: never) => Promise<unknown>) {
  port.on('message', (message: Question | FromStream) => {
    if (!('question' in message)) return
    const { question, reply } = message
    answer(question as never).then(
      (value) => reply.postMessage({ value } satisfies Answer),
      (error: unknown) => reply.postMessage({ failure: failureOf(error) } satisfies Answer),
    )
  })
}

/** An error with its class, which would be lost on the way. */
interface Failure {
  kind: 'fatal' | 'retriable' | 'other'
  message: string
  code?: string
  target?: string
  afterMs?: number
  stack?: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Fatal) {
    const { code, message, target } = error
    return { kind: 'fatal', code, message, target }
  }
  if (error instanceof Retriable) {
    const { message, afterMs } = error
    return { kind: 'retriable', message, afterMs }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'other', message, stack }
}

export function errorOf({ kind, message, code, target, afterMs, stack }: Failure): Error {
  if (kind === 'fatal') return new Fatal(code!, message, target)
  if (kind === 'retriable') return new Retriable(message, afterMs)
  return Object.assign(new Error(message), { stack })
}
