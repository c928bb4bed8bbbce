// Which company of a Tryton database is read: one source is one company.
import { Fatal } from '../errors.ts'

/** What Tryton says of its user. */
export interface Preferences {
  /** For which the user works at present. */
  company?: number | null
  /** All for which the user works. */
  companies?: number[] | null
  /** `one`: records of other companies than the present one are hidden, whatever is asked for. */
  company_filter?: string | null
}

/**
 * The company that is wished, or the only one of the user.
 * @param namesOf looks up what companies are called
 * @throws Fatal missing_company
 */
export async function companyOf(
  { company, companies, company_filter: filter }: Preferences,
  wished: number | undefined,
  namesOf: (companies: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<number> {
  const own = [...new Set(companies?.length ? companies : company ? [company] : [])]
  if (!own.length) {
    throw missing('This user of Tryton works for no company: give it the one that is read.')
  }
  const chosen = wished ?? (own.length === 1 ? own[0] : undefined)
  const isHidden = filter === 'one' && chosen !== company
  if (chosen !== undefined && own.includes(chosen) && !isHidden) return chosen
  const names = await namesOf(own)
  const nameOf = (id: number) => `${id} (${names.get(id) ?? '?'})`
  const list = own.map(nameOf).join(', ')
  if (chosen === undefined) {
    throw missing(`This user of Tryton works for several companies: choose one of ${list}.`)
  }
  throw missing(
    own.includes(chosen)
      ? `This user of Tryton sees nothing of ${nameOf(chosen)}: set its company to that one, or its company filter to All.`
      : `This user of Tryton does not work for company ${chosen}, but for ${list}.`,
  )
}

const missing = (message: string) => new Fatal('missing_company', message, 'options.company')
