// The terms of a proposal are what a person approves. If they differ from those that were shown, the proposal has moved.
import type { Calculation } from '../../../../engine/proposal/index.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { dayOf } from '../../../base/time/days.ts'

interface Terms {
  quantity: number
  /** With two decimals; null if the cost is unknown. */
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

/** The terms that all versions up to this one had. */
interface FormerTerms extends Terms {
  until: number
}

interface Versioned extends TermColumns {
  version: number
  /** JSON of FormerTerms, the newest last. */
  formerTerms?: string | null
}

/** How many former terms of a proposal are kept. */
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

/** The new value of `formerTerms` for a change of these columns. */
export function formerTermsAfter(before: Versioned, columns: TermColumns): string | null {
  const was = termsOf(before)
  const hasMoved = changesOf(was, termsOf({ ...before, ...columns })).length > 0
  if (!hasMoved) return before.formerTerms ?? null
  const former = [...formerTermsOf(before), { until: before.version, ...was }]
  return JSON.stringify(former.slice(-KEPT))
}

const formerTermsOf = ({ formerTerms }: Versioned): FormerTerms[] =>
  formerTerms ? (JSON.parse(formerTerms) as FormerTerms[]) : []

/** The terms that have changed since a version was shown; null if its terms are not known. */
export function changesSince(proposal: Versioned, version: number): TermChange[] | null {
  if (version === proposal.version) return []
  if (version > proposal.version) return null
  const former = formerTermsOf(proposal)
  const then = former.find(({ until }) => version <= until)
  if (!then) return []
  // The oldest kept terms may have replaced others that are not kept.
  const isKnown = then !== former[0] || former.length < KEPT || version === then.until
  return isKnown ? changesOf(then, termsOf(proposal)) : null
}

// The numbers of a proposal before it changed, to tell what has changed since yesterday, and why.

/** Numbers of the calculation, in the order in which a person is told of them. */
export const TOLD_NUMBERS = [
  ...([
    'onHand',
    'onOrder',
    'openProposals',
    'backorders',
    'reserved',
    'inInspection',
    'drafts',
  ] as const),
  ...(['p50', 'targetStock', 'leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize'] as const),
] satisfies (keyof Calculation)[]

export type ToldNumber = (typeof TOLD_NUMBERS)[number]

interface NumbersBefore {
  /** The first change on the latest day with one. */
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

/** The new value of `numbersBefore` for a change at that time; several changes of a day count as one. */
export function numbersBeforeChange(proposal: Proposal, changedAt: string): string {
  const { numbersBefore, quantity, unitCost, orderBy, urgency, calculation } = proposal
  if (numbersBefore && dayOf(parseNumbersBefore(numbersBefore).changedAt) === dayOf(changedAt))
    return numbersBefore
  const numbers = Object.fromEntries(TOLD_NUMBERS.map((name) => [name, calculation[name] ?? 0]))
  return JSON.stringify({ changedAt, quantity, unitCost, orderBy, urgency, numbers })
}

export const parseNumbersBefore = (text: string) => JSON.parse(text) as NumbersBefore
