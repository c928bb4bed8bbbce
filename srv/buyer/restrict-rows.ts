// Rows: lists, counts and value helps of the app have those alone that the user sees.
import cds, { type Request } from '@sap/cds'
import { type Predicate, visibleTo } from '../authority/index.ts'

const { SELECT } = cds.ql

/** What has a `sku` and a `location` is bounded by them; other rows by the proposals that they belong to. */
const BOUNDED: Record<string, (visible: Predicate) => object> = {
  'BuyerService.Proposals': (visible) => visible,
  'BuyerService.Decisions': (visible) => visible,
  'BuyerService.Blocked': (visible) => visible,
  'BuyerService.Events': ofVisibleProposals('proposal', 'ID'),
  'BuyerService.Skus': ofVisibleProposals('sku', 'sku'),
  'BuyerService.Locations': ofVisibleProposals('location', 'location'),
  'BuyerService.Suppliers': ofVisibleProposals('supplier', 'supplier'),
}

export const BOUNDED_ENTITIES = Object.keys(BOUNDED).map((name) => name.split('.')[1]!)

function ofVisibleProposals(column: string, of: string) {
  return (visible: Predicate) => ({
    xpr: [{ ref: [column] }, 'in', SELECT.from('restock.Proposals').columns(of).where(visible)],
  })
}

export interface Query {
  SELECT?: { from?: Query; where?: unknown[] }
}

/** The innermost query: where rows are added up, they are bounded before. */
export const innermost = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermost(query.SELECT.from) : query

export function withCondition({ SELECT }: Query, condition: object) {
  if (!SELECT) return
  SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
}

export async function visibleRowsOnly({ query, target, user }: Request) {
  const bound = BOUNDED[target?.name ?? '']
  const visible = bound && (await visibleTo(user))
  if (visible) withCondition(innermost(query), bound(visible))
}
