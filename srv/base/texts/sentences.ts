// A sentence that is stored as what it says, to be read in any language.
import {
  type Calculation,
  ENGLISH_RATIONALE,
  rationaleOf,
  type RationaleWords,
} from '../../../engine/proposal/index.ts'
import type { Refusal } from '../errors.ts'
import {
  codeNames,
  hasMessage,
  isMoneyArg,
  message,
  type MessageArgs,
  type MoneyArg,
  namesIn,
  writtenDay,
  written,
  writtenAmount,
  writtenPrice,
} from './texts.ts'

/**
 * `text` is a key of _i18n/messages.json; the other members are its arguments, of which facts are sentences of their own, and
 * days and amounts of money are written as the reader's language writes them.
 */
export interface Facts {
  text: string
  [arg: string]: string | number | MoneyArg | Facts
}

/** @param language of a sentence that is stored, with days as `2026-11-28`; the reader's language without */
export function sentenceOf({ text, ...args }: Facts, language?: string): string {
  const filled: [string, unknown][] = Object.entries(args).map(([name, value]) => [
    name,
    isMoneyArg(value)
      ? value
      : typeof value === 'object'
        ? sentenceOf(value, language)
        : typeof value === 'string' && !language
          ? writtenDay(value)
          : value,
  ])
  return message(text, Object.fromEntries<unknown>(filled), language)
}

// Why a pair is blocked and what to do, in the language of the user.

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

// What has moved since a proposal was shown, told to the person who decides.

interface Change {
  term: string
  was: unknown
  now: unknown
}

/** @param refusal `version_mismatch` */
export async function changedText({ options }: Refusal, language?: string): Promise<string> {
  const changes = (options.members?.changes ?? []) as Change[]
  if (!changes.length) return message('version_mismatch', {}, language)
  const nameOf = await codeNames('ProposalExceptions', language)
  const shown = (term: string, value: unknown) => {
    if (Array.isArray(value)) return namesIn(value.join(), nameOf) ?? '–'
    if (value == null) return '–'
    if (term === 'value') return writtenAmount(Number(value), language)
    return term === 'order_by' ? writtenDay(value, language) : written(value, language)
  }
  const told = changes.map(({ term, was, now }) =>
    message(`changed_${term}`, { was: shown(term, was), now: shown(term, now) }, language),
  )
  return message('changed', { changes: told.join(', ') }, language)
}

// Why a quantity is proposed, in the language of the reader.

/** What a proposal says of itself. */
interface Explained {
  calculation: Calculation
  /** Of a transfer: the location that gives. */
  fromLocation: string | null
}

export function rationaleIn(language: string, proposal: Explained): string {
  const { calculation, fromLocation } = proposal
  const why = rationaleOf(calculation, rationaleWords(language))
  if (!fromLocation) return why
  const { quantity } = calculation
  return `${message('why_transfer', { quantity, from: fromLocation }, language)} ${why}`
}

/** The parts of the sentence in a language, from _i18n: `leadTime` is `why_lead_time`. */
export function rationaleWords(language: string): RationaleWords {
  const words = Object.keys(ENGLISH_RATIONALE).map((part) => {
    const key = `why_${part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    return [part, (args?: MessageArgs) => message(key, args, language)] as const
  })
  return {
    ...(Object.fromEntries(words) as Record<keyof RationaleWords, (args?: MessageArgs) => string>),
    amount: ({ count }) => writtenPrice(count, language),
  }
}
