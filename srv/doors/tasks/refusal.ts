import { changedText } from '../../base/texts/sentences.ts'
import { type ErrorDetail, isRefusal, type Refusal } from '../../base/errors.ts'
import { hasMessage, type Language, message as sentence } from '../../base/texts/texts.ts'

/** A refusal of a task list's call; its code belongs to the task list, not to /v1. */
export class TaskRefusal extends Error {
  override name = 'TaskRefusal'
  readonly status: number
  readonly code: string
  readonly details: ErrorDetail[]
  readonly target: string | null
  /** A key of _i18n/messages.json, if the code does not name it. */
  readonly sentence: string
  constructor(
    status: number,
    code: string,
    message: string,
    { details = [], target = null, sentence = `task_${code}` }: Options = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.target = target
    this.sentence = sentence
  }
}

interface Options {
  details?: ErrorDetail[]
  target?: string | null
  sentence?: string
}

const isTaskRefusal = (error: unknown): error is TaskRefusal =>
  (error as TaskRefusal | undefined)?.name === 'TaskRefusal'

export const invalid = (target: string, message: string) =>
  new TaskRefusal(400, 'invalid_parameter', `${target}: ${message}`, { target })

/** The text is told in the language of the person. */
export const reasonMissing = () =>
  new TaskRefusal(400, 'invalid_parameter', 'comment: is needed to reject, or a reason', {
    ...{ target: 'comment', sentence: 'task_reason_missing' },
  })

export const notFound = (message = 'There is no such task.') =>
  new TaskRefusal(404, 'not_found', message)

export const alreadyDecided = () =>
  new TaskRefusal(409, 'proposal_already_decided', 'This task has been decided already.')

export const claimedByOther = () =>
  new TaskRefusal(409, 'task_claimed', 'Somebody else has claimed this task.')

export const notRecipient = () =>
  new TaskRefusal(403, 'not_recipient', 'This task is not yours to work on.')

/** Task lists know fewer statuses than /v1. */
export const TASK_STATUS: Record<number, number> = { 412: 409, 422: 400 }

/** Turns any refusal into one in the language of the caller; other errors stay as they are. */
export async function toTaskRefusal(error: unknown, language: Language): Promise<unknown> {
  if (isTaskRefusal(error)) {
    const { status, code, details, target, message } = error
    const text = sentenceOf(error.sentence, language) ?? message
    return new TaskRefusal(status, code, text, { details, target })
  }
  if (!isRefusal(error)) return error
  return fromRefusal(error, language)
}

async function fromRefusal(refusal: Refusal, language: Language) {
  const { status, code, options } = refusal
  const { details = [], target = null, sentence: told } = options
  const message = told ? sentence(told.key, told.args, language) : refusal.message
  const text =
    code === 'version_mismatch'
      ? await changedText(refusal, language)
      : sentenceOf(`task_${code}`, language)
  const all = text ? [{ code, message, target }, ...details] : details
  return new TaskRefusal(TASK_STATUS[status] ?? status, code, text ?? message, {
    details: all,
    target,
  })
}

/** The sentence for a refused decision; null if the refusal's own message says it. */
function sentenceOf(key: string, language: Language): string | null {
  return hasMessage(key) ? sentence(key, {}, language) : null
}
