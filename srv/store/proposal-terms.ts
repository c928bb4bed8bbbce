// The terms of a proposal: what a person approves. A proposal has moved where they differ from those that were shown.
import { toDecimal } from './numbers.ts'

export interface Terms {
  quantity: number
  /** Two decimals; null where the cost is unknown. */
  value: string | null
  currency: string | null
  supplier: string | null
  /** YYYY-MM-DD */
  orderBy: string | null
  /** Codes, sorted. */
  exceptions: string[]
}

/** The columns of restock.Proposals that the terms are made of, as any reader has them. */
export interface TermColumns {
  quantity?: number | string | null
  value?: number | string | null
  currency?: string | null
  supplier?: string | null
  orderBy?: string | null
  exceptions?: string[] | null
}

/** A term that differs. */
export interface TermChange {
  term: keyof Terms
  was: Terms[keyof Terms]
  now: Terms[keyof Terms]
}

/** The terms of all versions up to one. */
interface FormerTerms extends Terms {
  until: number
}

interface Versioned extends TermColumns {
  version: number
  /** JSON of FormerTerms, the newest last. */
  formerTerms?: string | null
}

/** Most former terms that are kept of a proposal. */
const KEPT = 10

export const termsOf = (columns: TermColumns): Terms => ({
  quantity: Number(columns.quantity),
  value: toDecimal(columns.value, 2),
  currency: columns.currency ?? null,
  supplier: columns.supplier ?? null,
  orderBy: columns.orderBy ?? null,
  exceptions: columns.exceptions?.toSorted() ?? [],
})

export const TERMS = ['quantity', 'value', 'currency', 'supplier', 'orderBy', 'exceptions'] as const

export const changesOf = (was: Terms, now: Terms): TermChange[] =>
  TERMS.filter((term) => String(was[term]) !== String(now[term])).map((term) => ({
    ...{ term, was: was[term], now: now[term] },
  }))

/** What `formerTerms` must become with a change of these columns. */
export function formerTermsAfter(before: Versioned, columns: TermColumns): string | null {
  const was = termsOf(before)
  const hasMoved = changesOf(was, termsOf({ ...before, ...columns })).length > 0
  if (!hasMoved) return before.formerTerms ?? null
  const former = [...formerTermsOf(before), { until: before.version, ...was }]
  return JSON.stringify(former.slice(-KEPT))
}

const formerTermsOf = ({ formerTerms }: Versioned): FormerTerms[] =>
  formerTerms ? (JSON.parse(formerTerms) as FormerTerms[]) : []

/** What has changed since a version was shown; null where that is not known. */
export function changesSince(proposal: Versioned, version: number): TermChange[] | null {
  if (version === proposal.version) return []
  if (version > proposal.version) return null
  const former = formerTermsOf(proposal)
  const then = former.find(({ until }) => version <= until)
  if (!then) return []
  // Of the oldest that is kept it is not known since when it held.
  const isKnown = then !== former[0] || former.length < KEPT || version === then.until
  return isKnown ? changesOf(then, termsOf(proposal)) : null
}
