// Everything that people read of a task, in English and German.
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** `de` for `de-AT`; null for a language that there are no texts in. */
export const languageOf = (code: string): Language | null =>
  LANGUAGES.find((language) => language === code.toLowerCase().split(/[-_]/)[0]) ?? null

/** The first language of an Accept-Language header that there are texts in; English for none. */
export function accepted(header: string | undefined): Language {
  const wishes = (header ?? '').split(',').map((part) => {
    const [code = '', ...rest] = part.trim().split(';')
    const q = /q=([\d.]+)/.exec(rest.join(';'))?.[1]
    return { code, q: q === undefined ? 1 : Number(q) }
  })
  const known = wishes.filter(({ code, q }) => q > 0 && languageOf(code))
  return languageOf(known.sort((a, b) => b.q - a.q)[0]?.code ?? '') ?? 'en'
}

export type Text = Record<Language, string>

export const REASONS: Record<string, Text> = {
  not_needed: { en: 'Not needed', de: 'Nicht nötig' },
  too_much: { en: 'Too much', de: 'Zu viel' },
  too_early: { en: 'Too early', de: 'Zu früh' },
  wrong_supplier: { en: 'Wrong supplier', de: 'Falscher Lieferant' },
  price: { en: 'Price', de: 'Preis' },
  discontinued: { en: 'Discontinued', de: 'Ausgelaufen' },
  other: { en: 'Another reason', de: 'Anderer Grund' },
}

export const TEXTS = {
  definition: { en: 'Approve order proposal', de: 'Bestellvorschlag genehmigen' },
  approve: { en: 'Approve', de: 'Genehmigen' },
  reject: { en: 'Reject', de: 'Ablehnen' },
  claim: { en: 'Claim', de: 'Reservieren' },
  release: { en: 'Release', de: 'Freigeben' },
  supplier: { en: 'Supplier', de: 'Lieferant' },
  location: { en: 'Location', de: 'Standort' },
  quantity: { en: 'Quantity', de: 'Menge' },
  value: { en: 'Value', de: 'Wert' },
  neededBy: { en: 'Needed by', de: 'Benötigt bis' },
  coverage: { en: 'Days of supply', de: 'Reichweite in Tagen' },
} satisfies Record<string, Text>

export const STATUS_TEXTS: Record<string, Text> = {
  READY: { en: 'Ready', de: 'Bereit' },
  RESERVED: { en: 'Reserved', de: 'Reserviert' },
  FOR_RESUBMISSION: { en: 'Put off', de: 'Zurückgestellt' },
  COMPLETED: { en: 'Completed', de: 'Erledigt' },
  CANCELED: { en: 'Withdrawn', de: 'Zurückgezogen' },
}

export interface Subject {
  sku: string | null
  location: string | null
  supplier: string | null
  fromLocation: string | null
  lines: number
  quantity: number
}

const LONGEST = 255

const orderOf = ({ sku, location, supplier, lines, quantity }: Subject): Text => ({
  en: sku
    ? `Order ${quantity} of ${sku} for ${location}${supplier ? ` from ${supplier}` : ''}`
    : `Order ${lines} ${lines === 1 ? 'line' : 'lines'} from ${supplier ?? 'an unknown supplier'}`,
  de: sku
    ? `${quantity} × ${sku} für ${location} bestellen${supplier ? ` bei ${supplier}` : ''}`
    : `${lines} ${lines === 1 ? 'Position' : 'Positionen'} bei ${supplier ?? 'unbekanntem Lieferanten'} bestellen`,
})

const moveOf = ({ sku, location, lines, quantity }: Subject, from: string): Text => ({
  en: sku
    ? `Move ${quantity} of ${sku} from ${from} to ${location}`
    : `Move ${lines} ${lines === 1 ? 'line' : 'lines'} from ${from}`,
  de: sku
    ? `${quantity} × ${sku} von ${from} nach ${location} umlagern`
    : `${lines} ${lines === 1 ? 'Position' : 'Positionen'} von ${from} umlagern`,
})

/** One line, 255 characters at most. */
export function subjectOf(task: Subject, language: Language): string {
  const { fromLocation } = task
  const long = (fromLocation ? moveOf(task, fromLocation) : orderOf(task))[language]
  return [...long].length > LONGEST ? `${[...long].slice(0, LONGEST - 1).join('')}…` : long
}

/** What somebody is told whose decision is refused, by the refusal's code; null for its own words. */
const REFUSALS: Record<string, Text> = {
  proposal_already_decided: {
    en: 'This task has been decided already. Refresh your list.',
    de: 'Über diese Aufgabe ist schon entschieden. Aktualisieren Sie Ihre Liste.',
  },
  proposal_stale: {
    en: 'Stock or demand has changed since this was proposed. Open the proposal to see the new numbers before you decide.',
    de: 'Bestand oder Bedarf haben sich seit diesem Vorschlag geändert. Öffnen Sie ihn und sehen Sie die neuen Zahlen, bevor Sie entscheiden.',
  },
  version_mismatch: {
    en: 'The proposal has changed meanwhile. Refresh your list.',
    de: 'Der Vorschlag hat sich inzwischen geändert. Aktualisieren Sie Ihre Liste.',
  },
  approval_limit_exceeded: {
    en: 'This order is beyond what you may approve.',
    de: 'Diese Bestellung geht über Ihre Freigabegrenze hinaus.',
  },
  four_eyes_required: {
    en: 'You gave the first approval; the second must be another person’s.',
    de: 'Die erste Freigabe war Ihre; die zweite muss von einer anderen Person kommen.',
  },
  insufficient_scope: {
    en: 'Only buyers and approvers decide about proposals.',
    de: 'Nur Einkäufer und Genehmiger entscheiden über Vorschläge.',
  },
  task_claimed: {
    en: 'Somebody else has claimed this task.',
    de: 'Jemand anderes hat diese Aufgabe reserviert.',
  },
  not_recipient: {
    en: 'This task is not yours to work on.',
    de: 'Diese Aufgabe ist nicht für Sie bestimmt.',
  },
}

export const refusalText = (code: string, language: Language): string | null =>
  REFUSALS[code]?.[language] ?? null
