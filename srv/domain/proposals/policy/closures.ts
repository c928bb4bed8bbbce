// Closed days as administrators enter them, beside those that sources tell.
import cds from '@sap/cds'
import { ALWAYS, MAX_CLOSURE_DAYS } from '../../../../adapters/records.ts'
import { assertCountry, UnknownCountry } from '../../../../holidays/public-holidays.ts'
import { afterCommit, inTransaction } from '../../../base/cap/context.ts'
import { writeAuditLog } from '../../../base/database/audit.ts'
import { Closures, readAs } from '../../../base/database/entities.ts'
import { markAllForProposal } from '../../../base/database/proposal-marks.ts'
import { cutPage, type PageQuery } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { assertMaySetPolicy, restrictionOf } from '../../authority/index.ts'
import { daysBetween } from '../../../../engine/proposal/index.ts'
import { type ClosureRow, ENTERED } from '../terms/closures.ts'
import { recomputeProposals } from './rules.ts'

export interface Closure extends ClosureRow {
  /** 0: entered. */
  source_ID: number
}

interface ClosureQuery extends PageQuery {
  supplier?: string
  location?: string
}

const KEY = ['supplier', 'location', 'firstDay', 'restDays', 'country', 'source_ID'] as const
const positionOf = (row: Closure) => JSON.stringify(KEY.map((name) => row[name]))

/** All that the user may see, in the order of their keys. They are few: a page is cut from the whole list. */
export async function listClosures({ supplier, location, ...asked }: ClosureQuery) {
  const seen = restrictionOf(cds.context!.user)?.locations ?? null
  const rows = await readAs<Closure>(
    SELECT.from(Closures)
      .where({ ...(supplier && { supplier }), ...(location && { location }) })
      .orderBy(...KEY),
  )
  const visible = rows.filter((row) => !row.location || !seen || seen.includes(row.location))
  return cutPage(visible, asked, positionOf)
}

/** Null, absent and empty are the same. */
type NewClosure = { [Name in keyof Omit<ClosureRow, 'restDays'>]?: string | null } & {
  /** 1 Monday to 7 Sunday. */
  workingDays?: number[] | null
}

/**
 * Replaces all that is entered; what sources tell stays. Proposals are made anew in the background.
 * @throws Refusal invalid_parameter, insufficient_scope
 */
export const replaceClosures = (closures: NewClosure[]) =>
  inTransaction(async () => {
    await assertMaySetPolicy(cds.context!.user, {})
    const rows: ClosureRow[] = []
    const known = new Set<string>()
    for (const [at, closure] of closures.entries()) {
      const row = await toRow(closure, `closures[${at}]`)
      const key = positionOf({ ...row, source_ID: ENTERED })
      if (known.has(key)) throw refused(`closures[${at}]`, 'says the same as one before it')
      known.add(key)
      rows.push(row)
    }
    await DELETE.from(Closures).where({ source_ID: ENTERED })
    if (rows.length)
      await INSERT.into(Closures).entries(rows.map((row) => ({ ...row, source_ID: ENTERED })))
    await markAllForProposal()
    await writeAuditLog('closures.set', 'closures', JSON.stringify({ entered: rows.length }))
    afterCommit(() => recomputeProposals({}))
    return rows.length
  })

async function toRow(closure: NewClosure, place: string): Promise<ClosureRow> {
  const text = (name: Exclude<keyof NewClosure, 'workingDays'>) => closure[name] ?? ''
  const [supplier, location] = [text('supplier'), text('location')]
  if (Boolean(supplier) === Boolean(location))
    throw refused(`${place}.supplier`, 'or location must be given, and not both')
  const working = closure.workingDays ?? []
  const restDays = working.length
    ? [1, 2, 3, 4, 5, 6, 7].filter((day) => !working.includes(day)).join('')
    : ''
  const country = text('country').toUpperCase()
  const region = text('region').toUpperCase()
  const isPart = restDays !== '' || country !== ''
  if (!text('firstDay') && !isPart) throw refused(`${place}.from`, 'must be given')
  if (region && !country) throw refused(`${place}.region`, 'needs a country')
  if (country)
    await assertCountry({ country, region: region || null }).catch((error: unknown) => {
      throw error instanceof UnknownCountry
        ? refused(`${place}.${error.field}`, error.message)
        : error
    })
  const firstDay = text('firstDay') || ALWAYS.firstDay
  const lastDay = text('lastDay') || (isPart ? ALWAYS.lastDay : firstDay)
  if (lastDay < firstDay) throw refused(`${place}.to`, 'must not lie before from')
  if (!isPart && daysBetween(firstDay, lastDay) >= MAX_CLOSURE_DAYS)
    throw refused(`${place}.to`, `must lie within ${MAX_CLOSURE_DAYS} days from from on`)
  return {
    supplier,
    location,
    firstDay,
    lastDay,
    restDays,
    country,
    region,
    reason: text('reason'),
  }
}

const refused = (target: string, what: string) =>
  new Refusal('invalid_parameter', `${target}: ${what}.`, { target })
