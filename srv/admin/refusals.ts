import { isRefusal, type Refusal } from '../errors.ts'
import { message as written } from '../texts.ts'

/** Names that differ between /v1 and the apps. */
const NAMES: Record<string, string> = { group: 'skuGroup', events: 'types' }

const camel = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name of the field in the apps; of an ERP's option `options/<name>`. */
function targetOf({ options: { target } }: Refusal): string | undefined {
  if (!target) return undefined
  if (target.startsWith('options.')) return target.replace('.', '/')
  return NAMES[target] ?? camel(target)
}

/** The message in the language of the user, without the name of the field, since the app shows it at the field. */
function messageOf({ message, options: { target, sentence } }: Refusal): string {
  if (sentence) return capitalised(written(sentence.key, sentence.places))
  if (!target || !message.startsWith(`${target}: `)) return message
  return capitalised(message.slice(target.length + 2))
}

const capitalised = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}`

/** UI5 takes 503 for Restock itself being away, and leaves the page. */
const ERP_AWAY = 424

/** A refusal as an OData error with its code, status and field; any other error unchanged. */
export function toODataError(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { code, options } = error
  const status = code === 'source_unavailable' ? ERP_AWAY : error.status
  const odataError = new Error(messageOf(error))
  return Object.assign(odataError, {
    ...{ status, statusCode: status, code, target: targetOf(error) },
    details: options.details?.map((each) => ({ ...each, target: each.target ?? undefined })),
  })
}

/** Makes OData errors of a handler's refusals. */
export const withODataErrors =
  <A extends unknown[], T>(handler: (...args: A) => T | Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await handler(...args)
    } catch (error) {
      throw toODataError(error)
    }
  }
