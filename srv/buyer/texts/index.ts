import cds from '@sap/cds'
import { de } from './de.ts'
import { en } from './en.ts'

type Texts = typeof en
type Topic = keyof Texts

/** The texts in the language of the present request; English where there is no other. */
export const texts = (): Texts => (cds.context?.locale?.startsWith('de') ? de : en)

/** What a code is called; the code itself where it has no name yet, for some lists are open. */
export function nameOf(topic: Topic, code: unknown): string | null {
  if (code === null || code === undefined || code === '') return null
  return (texts()[topic] as Record<string, string>)[String(code)] ?? String(code)
}

/** The names of codes joined by a comma. */
export const namesOf = (topic: Topic, codes: unknown) =>
  codes
    ? String(codes)
        .split(',')
        .map((code) => nameOf(topic, code))
        .join(', ')
    : null

/** Puts values into the places of a text; numbers as the language writes them. */
export const fill = (text: string, values: Record<string, unknown>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name]))

function shown(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '')
  return new Intl.NumberFormat(cds.context?.locale?.replaceAll('_', '-') ?? 'en').format(value)
}
