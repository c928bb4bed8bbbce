// Why a quantity is proposed, in the language of the reader.
import {
  type Calculation,
  ENGLISH_RATIONALE,
  rationaleOf,
  type RationaleWords,
} from '../engine/proposal/index.ts'
import { message, type Places, writtenPrice } from './texts.ts'

/** What a proposal says of itself. */
export interface Explained {
  calculation: Calculation
  /** The stored sentence, in English. */
  rationale: string
  /** Of a transfer: the location that gives. */
  fromLocation: string | null
}

export function rationaleIn(language: string, proposal: Explained): string {
  const { calculation, fromLocation, rationale } = proposal
  if (language.startsWith('en')) return rationale
  const why = rationaleOf(calculation, rationaleWords(language))
  if (!fromLocation) return why
  const { quantity } = calculation
  return `${message('why_transfer', { quantity, from: fromLocation }, language)} ${why}`
}

/** The parts of the sentence in a language, from _i18n: `leadTime` is `why_lead_time`. */
export const rationaleWords = (language: string) =>
  ({
    ...Object.fromEntries(
      Object.keys(ENGLISH_RATIONALE).map((part) => {
        const key = `why_${part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
        return [part, (places?: Places) => message(key, places, language)]
      }),
    ),
    amount: ({ count }: { count: number }) => writtenPrice(count, language),
  }) as unknown as RationaleWords
