// A sentence that is stored as what it says, to be read in any language.
import { message } from './texts.ts'

/** `text` is a key of _i18n/messages.json; the other members fill its places, facts by their own sentence. */
export interface Facts {
  text: string
  [place: string]: string | number | Facts
}

export function sentenceOf({ text, ...places }: Facts, language?: string): string {
  const filled: [string, unknown][] = Object.entries(places).map(([name, value]) => [
    name,
    typeof value === 'object' ? sentenceOf(value, language) : value,
  ])
  return message(text, Object.fromEntries<unknown>(filled), language)
}
