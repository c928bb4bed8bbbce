// ERPs whose every call is a POST to one path: what may be called is checked by model and method.
import { Fatal } from '../errors.ts'

/** The methods that may be called of each model; all of them only read. */
export type CallList = Readonly<Record<string, readonly string[]>>

/** @throws Fatal request_not_allowed for a call that is not on the list */
export function assertCall(list: CallList, model: string, method: string): void {
  if (Object.hasOwn(list, model) && list[model]!.includes(method)) return
  throw new Fatal('request_not_allowed', `${model}.${method} is not among the reads.`)
}
