// Lists that not every system has, nor every admin grants.
import { Fatal, isNotThere } from '../errors.ts'

/**
 * What may not be read, with what an admin can do about it.
 * @param option which leaves the list out
 * @throws any other error
 */
export function withRemedy(error: unknown, option: string): Fatal {
  if (!isNotThere(error)) throw error
  const remedy = `Grant the service, or set the option ${option}=false.`
  return new Fatal(error.code, `${error.message} ${remedy}`, error.target)
}
