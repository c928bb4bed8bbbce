import type { Predicate } from '../../authority/index.ts'
import { totalOf } from '../../money/total.ts'

/** @param query of which the rows that the user sees are wanted alone */
export const within = <Query extends { where(condition: object): unknown }>(
  query: Query,
  visible: Predicate | null,
) => (visible ? query.where(visible) : query) as Query

/** What is null or 0 has no worth that is known, and needs no currency. */
export const amountOf = <Name extends string>(
  groups: ({ currency: string | null } & Record<Name, number | string | null>)[],
  name: Name,
) =>
  totalOf(
    groups
      .filter((group) => Number(group[name]) !== 0)
      .map((group) => ({ value: Number(group[name]).toFixed(2), currency: group.currency })),
  )
