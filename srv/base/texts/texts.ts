// What people read: sentences of _i18n/messages.json, and names of codes from the code lists (db/data).
import cds from '@sap/cds'
import { type AnyEntity, readAs } from '../database/entities.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The values that stand in a text, by their names. */
export type MessageArgs = Record<string, unknown>

/** `de` for `de-AT` and `de_AT`; null for a language that there are no texts in. */
export const languageOf = (code: string): Language | null =>
  LANGUAGES.find((language) => language === code.toLowerCase().split(/[-_]/)[0]) ?? null

/** The first language of an Accept-Language header that there are texts in; English for none. */
export function preferredLanguage(header: string | undefined): Language {
  const wishes = (header ?? '').split(',').map((part) => {
    const [code = '', ...rest] = part.trim().split(';')
    const q = /q=([\d.]+)/.exec(rest.join(';'))?.[1]
    return { code, q: q === undefined ? 1 : Number(q) }
  })
  const known = wishes.filter(({ code, q }) => q > 0 && languageOf(code))
  return languageOf(known.sort((a, b) => b.q - a.q)[0]?.code ?? '') ?? 'en'
}

const locale = () => cds.context?.locale ?? 'en'

/** A sentence in the language of the present request, or in that of `language`; numbers as it writes them. */
export function message(key: string, args: MessageArgs = {}, language: string = locale()): string {
  const shown = Object.entries(args).map(
    ([name, value]) => [name, written(value, language)] as const,
  )
  return cds.i18n.messages.at(key, language, Object.fromEntries(shown)) ?? key
}

export const hasMessage = (key: string) => cds.i18n.messages.at(key) !== undefined

const FORMATS = {
  number: {},
  amount: { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  large: { maximumFractionDigits: 0 },
  price: { minimumFractionDigits: 2, maximumFractionDigits: 4 },
} as const satisfies Record<string, Intl.NumberFormatOptions>

/** By language and form: a new one takes longer than what it writes. */
const formats = new Map<string, Intl.NumberFormat>()
const MOST_FORMATS = 200

function formatIn(language: string, form: keyof typeof FORMATS): Intl.NumberFormat {
  const key = `${language} ${form}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(language.replaceAll('_', '-'), FORMATS[form])
  if (formats.size < MOST_FORMATS) formats.set(key, format)
  return format
}

/** An amount within a sentence; `amount` is a decimal string. */
export interface MoneyArg {
  amount: string
  currency: string
}

export const isMoneyArg = (value: unknown): value is MoneyArg =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value

/** A number, or an amount of money, as the language writes it; all else as it is. */
export function written(value: unknown, language: string = locale()): string {
  if (typeof value === 'number') return formatIn(language, 'number').format(value)
  if (isMoneyArg(value)) return `${writtenAmount(Number(value.amount), language)} ${value.currency}`
  return String(value ?? '')
}

/** With its sign: `+12`, `−40`. */
export const writtenChange = (amount: number): string =>
  amount < 0 ? `−${written(-amount)}` : `+${written(amount)}`

/** `12.5 %` for 0.1249, of a chance: with one decimal at most, and never broken before the sign. */
export const writtenChance = (chance: number): string =>
  `${written(Math.round(chance * 1_000) / 10)}\u00a0%`

/** `12.5 %` for 0.125; with two decimals at most. */
export const writtenShare = (share: number): string =>
  `${written(Math.round(share * 10_000) / 100)} %`

/** An amount of money, with two decimals. */
export const writtenAmount = (value: number, language: string = locale()): string =>
  formatIn(language, 'amount').format(value)

/** An amount that is read at a glance: with two decimals, from 1,000 on with none. */
export const writtenMoney = (value: number, language: string = locale()): string =>
  formatIn(language, Math.abs(value) < 1_000 ? 'amount' : 'large').format(value)

/** A price, with two decimals and up to four where they are used. */
export const writtenPrice = (value: number, language: string = locale()): string =>
  formatIn(language, 'price').format(value)

const DAY = /^\d{4}-\d{2}-\d{2}$/
const days = new Map<string, Intl.DateTimeFormat>()

/** `Nov 28, 2026`, `28.11.2026` for 2026-11-28; whatever is no day stays as it is. */
export function writtenDay(day: unknown, language: string = locale()): string {
  if (!DAY.test(String(day))) return written(day, language)
  const known = languageOf(language) ?? 'en'
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
  const format = days.get(known) ?? new Intl.DateTimeFormat(known, options)
  days.set(known, format)
  return format.format(new Date(String(day)))
}

/** The name of a code; the code itself where it has none, null for none. */
export type NameOf = (code: unknown) => string | null

/** By list and language; code lists change with a deployment alone. */
const known = new Map<string, Map<string, string>>()

/** @param list such as `ProposalStatuses` */
export async function codeNames(list: string, language: string = locale()): Promise<NameOf> {
  const spoken = languageOf(language) ?? 'en'
  const key = `${list} ${spoken}`
  // Each caller reads in its own transaction: whoever holds SQLite's one connection must not wait for another's read.
  const found = known.get(key) ?? (await readNames(list, spoken))
  known.set(key, found)
  return (code) => (code ? (found.get(String(code)) ?? String(code)) : null)
}

/** The names of codes that are joined by commas. */
export const namesIn = (codes: unknown, nameOf: NameOf): string | null =>
  codes ? String(codes).split(',').map(nameOf).join(', ') : null

interface Named {
  code: string
  name: string
}

const listOf = (name: string) => `restock.${name}` as AnyEntity

async function readNames(list: string, language: Language): Promise<Map<string, string>> {
  const english = await readAs<Named>(SELECT.from(listOf(list)).columns('code', 'name'))
  const translated = await readAs<Named>(
    SELECT.from(listOf(`${list}.texts`))
      .columns('code', 'name')
      .where({ locale: language }),
  )
  return new Map([...english, ...translated].map(({ code, name }) => [code, name]))
}
