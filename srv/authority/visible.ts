// Which proposals somebody sees, through whichever door.
import cds from '@sap/cds'
import { Refusal } from '../errors.ts'
import { capacitiesOf } from './capacities.ts'
import type { User } from './people.ts'
import { joined, predicateOf, type Predicate, type Rows, rowsOf } from './rows.ts'

const { SELECT } = cds.ql

const PROPOSALS = 'restock.Proposals'

/** What a user is bound to, alone and as a deputy: each of them by itself; null for all rows. */
export async function boundsOf(user: User): Promise<Rows[] | null> {
  // Most people see all rows: for them nothing is read.
  if (!rowsOf(user)) return null
  const bounds = (await capacitiesOf(user)).map(({ person }) => person.rows)
  return bounds.includes(null) ? null : (bounds as Rows[])
}

/** A condition on whatever has a `sku` and a `location`; null where the user sees all rows. */
export async function visibleTo(user: User): Promise<Predicate | null> {
  const bounds = await boundsOf(user)
  return bounds && joined(bounds.map(predicateOf), 'or')
}

/** Of these proposals those that the user sees. */
export async function visibleAmong(user: User, ids: number[]): Promise<Set<number>> {
  const predicate = await visibleTo(user)
  if (!predicate || !ids.length) return new Set(ids)
  const rows: { ID: number }[] = await SELECT.from(PROPOSALS)
    .columns('ID')
    .where({ ID: { in: ids } })
    .where(predicate)
  return new Set(rows.map(({ ID }) => ID))
}

/** What somebody does not see is answered as if it were not there. @throws Refusal proposal_not_found */
export async function assertVisible(user: User, ID: number) {
  if (!(await visibleAmong(user, [ID])).has(ID)) throw noSuchProposal(ID)
}

export const noSuchProposal = (ID: number) =>
  new Refusal('proposal_not_found', `There is no proposal prop_${ID}.`)
