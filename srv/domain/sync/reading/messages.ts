// The messages between the service and its reading thread.
import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Connection, Cursor, StreamCheck } from '../../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import type { RecordKind } from '../../../../adapters/records.ts'
import type { PageGroup } from '../pages.ts'

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
export interface Failure {
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
