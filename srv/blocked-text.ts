// Why a pair is blocked and what to do, in the language of the user.
import { type Facts, sentenceOf } from './facts.ts'
import { hasMessage, message } from './texts.ts'

export interface BlockedText {
  missing?: string
  /** As it is stored, in English. */
  reason?: string | null
  /** What the reason says, where its kind has more than one text. */
  facts?: string | null
}

export function blockedText({ missing, reason, facts }: BlockedText): string | null {
  if (facts) return sentenceOf(JSON.parse(facts) as Facts)
  const key = `blocked_${missing}`
  return hasMessage(key) ? message(key) : (reason ?? null)
}
