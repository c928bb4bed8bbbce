// What a proposal said before it changed: kept so that the list can say what has changed since yesterday, and why.
import type { Calculation } from '../../engine/proposal/index.ts'
import { dayOf } from './today.ts'

/** Of the calculation, in the order in which a person is told of them. */
export const TOLD_NUMBERS = [
  ...(['onHand', 'onOrder', 'openProposals', 'backorders', 'reserved', 'inInspection'] as const),
  ...(['p50', 'targetStock', 'leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize'] as const),
] satisfies (keyof Calculation)[]

export type ToldNumber = (typeof TOLD_NUMBERS)[number]

export interface NumbersBefore {
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
