// Which columns an account has, which depends on its features.
import { Fatal } from '../../errors.ts'
import { probeOf } from './query.ts'
import type { Query } from './query.ts'

/** The optional columns that are not refused; it asks for one row at a time. */
export async function findColumns(
  suiteQl: { run(statement: string, signal: AbortSignal): Promise<unknown> },
  query: Query,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const isKnown = async (columns: Record<string, string>) => {
    try {
      await suiteQl.run(probeOf({ ...query, optional: columns }), signal)
      return true
    } catch (error) {
      if (error instanceof Fatal && error.code === 'request_refused') return false
      throw error
    }
  }
  const optional = query.optional ?? {}
  if (await isKnown(optional)) return optional
  const found: Record<string, string> = {}
  for (const [name, expression] of Object.entries(optional)) {
    if (await isKnown({ [name]: expression })) found[name] = expression
  }
  return found
}
