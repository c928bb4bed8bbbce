// Which company of a Tryton database is read: one source is one company.
import { Fatal } from '../errors.ts'

/** What Tryton says of its user. */
export interface Preferences {
  company?: number | null
  /** All for which the user works. */
  companies?: number[] | null
}

/**
 * The company that is wished, or the only one of the user.
 * @param namesOf looks up what companies are called
 * @throws Fatal missing_company
 */
export async function companyOf(
  { company, companies }: Preferences,
  wished: number | undefined,
  namesOf: (companies: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<number> {
  const own = [...new Set(companies?.length ? companies : company ? [company] : [])]
  if (wished !== undefined && own.includes(wished)) return wished
  if (wished === undefined && own.length === 1) return own[0]!
  if (!own.length) {
    throw missing('This user of Tryton works for no company: give it the one that is read.')
  }
  const names = await namesOf(own)
  const list = own.map((id) => `${id} (${names.get(id) ?? '?'})`).join(', ')
  throw missing(
    wished === undefined
      ? `This user of Tryton works for several companies: choose one of ${list}.`
      : `This user of Tryton does not work for company ${wished}, but for ${list}.`,
  )
}

const missing = (message: string) => new Fatal('missing_company', message, 'options.company')
