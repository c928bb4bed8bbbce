// Restricts lists, counts and value helps of the app to the rows that the user may see.
import type { Request } from '@sap/cds'
import { type Predicate, visibleTo } from '../authority/index.ts'

/** Entities with `sku` and `location` are restricted by these, others by the proposals that they belong to. */
const RESTRICTIONS: Record<string, (visible: Predicate) => object> = {
  'BuyerService.Proposals': (visible) => visible,
  'BuyerService.Decisions': (visible) => visible,
  'BuyerService.Blocked': (visible) => visible,
  'BuyerService.Exceptions': (visible) => visible,
  'BuyerService.Events': ofVisibleProposals('proposal', 'ID'),
  'BuyerService.Skus': ofVisibleProposals('sku', 'sku'),
  'BuyerService.Locations': ofVisibleProposals('location', 'location'),
  'BuyerService.Suppliers': ofVisibleProposals('supplier', 'supplier'),
}

export const RESTRICTED_ENTITIES = Object.keys(RESTRICTIONS).map((name) => name.split('.')[1]!)

function ofVisibleProposals(column: string, of: string) {
  return (visible: Predicate) => ({
    xpr: [{ ref: [column] }, 'in', SELECT.from('restock.Proposals').columns(of).where(visible)],
  })
}

export interface Query {
  SELECT?: { from?: Query; where?: unknown[] }
}

/** Rows are restricted in the innermost query, before they are aggregated. */
export const innermostQuery = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermostQuery(query.SELECT.from) : query

export function addCondition({ SELECT }: Query, condition: object) {
  if (!SELECT) return
  SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
}

export async function restrictRows({ query, target, user }: Request) {
  const restrictionOf = RESTRICTIONS[target?.name ?? '']
  const visible = restrictionOf && (await visibleTo(user))
  if (visible) addCondition(innermostQuery(query), restrictionOf(visible))
}
