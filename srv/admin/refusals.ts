import { isRefusal, type Refusal } from '../errors.ts'

/** Names of /v1 that the apps spell otherwise. */
const NAMES: Record<string, string> = { group: 'skuGroup', events: 'types' }

const camel = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The field as the apps call it; an option of an ERP is one of the options. */
function targetOf({ options: { target } }: Refusal): string | undefined {
  if (!target) return undefined
  if (target.startsWith('options.')) return 'options'
  return NAMES[target] ?? camel(target)
}

/** Without the field's name of /v1: the app shows the words at the field. */
function wordsOf({ message, options: { target } }: Refusal): string {
  if (!target || !message.startsWith(`${target}: `)) return message
  const words = message.slice(target.length + 2)
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** A refusal as an OData error with its code, status and field; anything else as it is. */
export function toODataError(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { code, status, options } = error
  const told = new Error(wordsOf(error))
  return Object.assign(told, {
    ...{ status, statusCode: status, code, target: targetOf(error) },
    details: options.details?.map((each) => ({ ...each, target: each.target ?? undefined })),
  })
}

/** Runs a handler, whose refusals become OData errors. */
export const refusing =
  <A extends unknown[], T>(handler: (...args: A) => T | Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await handler(...args)
    } catch (error) {
      throw toODataError(error)
    }
  }
