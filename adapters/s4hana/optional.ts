// Lists that not every system has, nor every admin grants.
import { Fatal } from '../errors.ts'

/** How a system says that it has no such list, grants it to nobody, or does not answer such a question. */
const REFUSED = ['not_found', 'forbidden', 'request_refused']

export const isRefused = (error: unknown): error is Fatal =>
  error instanceof Fatal && REFUSED.includes(error.code)

/**
 * What may not be read, with what an admin can do about it.
 * @param option which leaves the list out
 * @throws any other error
 */
export function withRemedy(error: unknown, option: string): Fatal {
  if (!isRefused(error)) throw error
  const remedy = `Grant the service, or set the option ${option}=false.`
  return new Fatal(error.code, `${error.message} ${remedy}`, error.target)
}
