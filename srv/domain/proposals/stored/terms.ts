// The terms of a proposal: what a person approves. A proposal has moved where they differ from those that were shown.
import type { Calculation } from '../../../../engine/proposal/index.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { dayOf } from '../../../base/time/days.ts'

interface Terms {
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

const changesOf = (was: Terms, now: Terms): TermChange[] =>
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

// What a proposal said before it changed: kept so that the list can say what has changed since yesterday, and why.

/** Of the calculation, in the order in which a person is told of them. */
export const TOLD_NUMBERS = [
  ...(['onHand', 'onOrder', 'openProposals', 'backorders', 'reserved', 'inInspection'] as const),
  ...(['p50', 'targetStock', 'leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize'] as const),
] satisfies (keyof Calculation)[]

export type ToldNumber = (typeof TOLD_NUMBERS)[number]

interface NumbersBefore {
  /** When they changed first, on the latest day with a change. */
  changedAt: string
  quantity: number
  unitCost: string | null
  orderBy: string | null
  urgency: string
  numbers: Partial<Record<ToldNumber, number>>
}

interface Proposal {
  quantity: number
  unitCost: string | null
  orderBy: string | null
  urgency: string
  calculation: Calculation
  numbersBefore?: string | null
}

/** What `numbersBefore` must become with a change at that time: several changes of a day count as one. */
export function numbersBeforeChange(proposal: Proposal, changedAt: string): string {
  const { numbersBefore, quantity, unitCost, orderBy, urgency, calculation } = proposal
  if (numbersBefore && dayOf(parseNumbersBefore(numbersBefore).changedAt) === dayOf(changedAt))
    return numbersBefore
  const numbers = Object.fromEntries(TOLD_NUMBERS.map((name) => [name, calculation[name] ?? 0]))
  return JSON.stringify({ changedAt, quantity, unitCost, orderBy, urgency, numbers })
}

export const parseNumbersBefore = (text: string) => JSON.parse(text) as NumbersBefore
