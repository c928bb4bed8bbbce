import cds from '@sap/cds'
import { isRate } from '../../../adapters/records.ts'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { FIRST_NUMBER, readCounter, takeNumbers } from '../../base/database/counters.ts'
import { ExchangeRates, readAs } from '../../base/database/entities.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { CURRENCY, CURRENCY_RULE } from '../../base/input.ts'
import { assertAdmin, mayApprove } from '../../base/roles.ts'
import { settings } from '../../base/settings/config.ts'
import { today } from '../../base/time/days.ts'

export interface Amount {
  /** Decimal string. */
  value: string
  currency: string
}

export interface Rate {
  fromCurrency: string
  toCurrency: string
  /** The worth of one unit of the first currency in the second; a positive decimal. */
  rate: string
}

const ONE: Fraction = { numerator: 1n, denominator: 1n }

/** The rates of a day. */
export class Rates {
  readonly #direct: ReadonlyMap<string, Fraction>
  readonly #account: string

  /** @param account the account's currency, which links currencies that have no direct rate */
  constructor(rates: Rate[], account: string) {
    this.#direct = new Map(
      rates.map(({ fromCurrency, toCurrency, rate }) => [
        `${fromCurrency} ${toCurrency}`,
        fractionOf(rate),
      ]),
    )
    this.#account = account
  }

  /** The direct rate, or else the inverse one, or else by way of the account's currency; null if none is known. */
  between(from: string, to: string): Fraction | null {
    const single = this.#single(from, to)
    if (single) return single
    const [there, on] = [this.#single(from, this.#account), this.#single(this.#account, to)]
    return there && on && times(there, on)
  }

  /** The exact sum in one currency. @returns the first currency without a rate if there is one */
  sumIn(currency: string, amounts: Amount[]): Fraction | { unknown: string } {
    let sum = ZERO
    for (const amount of amounts) {
      const rate = this.between(amount.currency, currency)
      if (!rate) return { unknown: amount.currency }
      sum = plus(sum, times(fractionOf(amount.value), rate))
    }
    return sum
  }

  /** Other currencies than the account's that a rate is named for. */
  currencies(): string[] {
    const named = [...this.#direct.keys()].flatMap((pair) => pair.split(' '))
    return [...new Set(named)].filter((currency) => currency !== this.#account).sort()
  }

  #single(from: string, to: string): Fraction | null {
    if (from === to) return ONE
    const direct = this.#direct.get(`${from} ${to}`)
    if (direct) return direct
    const back = this.#direct.get(`${to} ${from}`)
    return back ? inverse(back) : null
  }
}

// The rates that are valid today, from the table of administrators and from the sources.

let known: { version: string; rates: Rates } | undefined

/** A text that changes whenever a rate does and, if there are rates, every day. */
export async function ratesVersion(): Promise<string> {
  const changes = await readCounter('exchangeRates')
  const { currency } = settings()
  return changes === FIRST_NUMBER ? currency : `${currency} ${today()} ${changes}`
}

/** The latest valid rate of each pair of currencies. It is read again only after a change. */
export async function readRates(): Promise<Rates> {
  const version = await ratesVersion()
  if (known?.version === version) return known.rates
  const rates = new Rates(await readCurrent(today()), settings().currency)
  known = { version, rates }
  return rates
}

/** Two queries suffice, however many former rates there are. */
async function readCurrent(day: string): Promise<Rate[]> {
  const newest = await readAs<Dated>(
    SELECT.from(ExchangeRates)
      .columns('fromCurrency', 'toCurrency', 'max(validFrom) as validFrom')
      .where({ validFrom: { '<=': day } })
      .groupBy('fromCurrency', 'toCurrency'),
  )
  if (!newest.length) return []
  const days = new Set(newest.map(({ validFrom }) => validFrom))
  const rows = await readAs<Dated & Rate>(
    SELECT.from(ExchangeRates)
      .columns('fromCurrency', 'toCurrency', 'validFrom', 'rate')
      .where({ validFrom: { in: [...days] } })
      .orderBy('source_ID desc'),
  )
  const keyOf = ({ fromCurrency, toCurrency, validFrom }: Dated) =>
    `${fromCurrency} ${toCurrency} ${validFrom}`
  const isNewest = new Set(newest.map(keyOf))
  // Of several rates of one day the last one counts: an administrator's, which is stored as that of source 0.
  return rows.filter((row) => isNewest.has(keyOf(row)))
}

type Dated = Omit<RateKey, 'source'>

/** What an amount of the account's currency comes to in each other one that a rate leads from, rounded up to four places. */
export async function equivalentsOf(amount: string): Promise<[currency: string, amount: string][]> {
  const rates = await readRates()
  const { currency: own } = settings()
  const { numerator, denominator } = fractionOf(amount)
  return rates.currencies().flatMap((currency) => {
    const rate = rates.between(currency, own)
    if (!rate) return []
    const divisor = denominator * rate.numerator
    const parts = (numerator * rate.denominator * 10_000n + divisor - 1n) / divisor
    return [[currency, `${parts / 10_000n}.${String(parts % 10_000n).padStart(4, '0')}`]]
  })
}

// Adds up amounts of several currencies, if today's rates allow it.

/** An amount that may be negative, and whose currency the ERP may not name. */
interface AnyAmount {
  value: string
  currency: string | null
}

/**
 * One amount if all are of one currency, or rates convert all to the account's currency; otherwise one for each currency.
 * Beside amounts with a currency, those without one count as the account's. Empty for no amounts.
 */
export async function totalOf(amounts: AnyAmount[]): Promise<AnyAmount[]> {
  const each = byCurrency(amounts)
  if (each.length < 2) return each
  const own = settings().currency
  const named = byCurrency(each.map((sum) => ({ ...sum, currency: sum.currency ?? own })))
  return named.length < 2 ? named : (inOne(named, own, await readRates()) ?? named)
}

/** @returns null if a rate is missing */
function inOne(amounts: AnyAmount[], currency: string, rates: Rates): AnyAmount[] | null {
  if (amounts.some((amount) => amount.currency === null)) return null
  const sum = rates.sumIn(currency, amounts as { value: string; currency: string }[])
  return 'unknown' in sum ? null : [{ value: signed(sum), currency }]
}

function byCurrency(amounts: AnyAmount[]): AnyAmount[] {
  const sums = new Map<string | null, Fraction>()
  for (const { value, currency } of amounts)
    sums.set(currency, plus(sums.get(currency) ?? ZERO, fractionOf(value)))
  return [...sums].map(([currency, sum]) => ({ value: signed(sum), currency }))
}

const signed = ({ numerator, denominator }: Fraction) =>
  numerator < 0n
    ? `-${toMoney({ numerator: -numerator, denominator })}`
    : toMoney({ numerator, denominator })

// Rates that administrators enter. A rate changes what a limit permits, so somebody who approves may not enter rates.

/** Entered rates are stored as those of this source, and win over a source's rate of the same day. */
const ENTERED = 0

interface NewRate {
  fromCurrency: string
  toCurrency: string
  /** Decimal string. */
  rate: string | null
  /** Today unless said otherwise. */
  validFrom?: string | null
}

export interface RateKey {
  fromCurrency: string
  toCurrency: string
  validFrom: string
  source: number
}

/** @throws Refusal insufficient_scope, four_eyes_required */
function assertMayEnterRates() {
  assertAdmin()
  if (mayApprove())
    throw new Refusal('four_eyes_required', 'Nobody changes what they themselves may approve.')
}

/**
 * The rate of the same day is replaced.
 * @throws Refusal insufficient_scope, four_eyes_required; invalid_parameter, its target the field at fault
 */
export const setRate = (wish: NewRate) => inTransaction(() => set(wish))

async function set({ fromCurrency, toCurrency, rate, ...given }: NewRate) {
  assertMayEnterRates()
  assertCurrency(fromCurrency, 'fromCurrency')
  assertCurrency(toCurrency, 'toCurrency')
  if (fromCurrency === toCurrency) throw invalidParameter('toCurrency', 'must be another currency')
  if (!isRate(rate ?? '')) throw invalidParameter('rate', 'must be a decimal number above 0')
  const validFrom = given.validFrom ?? today()
  const key = { fromCurrency, toCurrency, validFrom, source_ID: ENTERED }
  const before = await readEntered(key)
  await UPSERT.into(ExchangeRates).entries({
    ...key,
    rate,
    changedAt: new Date().toISOString(),
    changedBy: cds.context?.user?.id ?? 'system',
  })
  await takeNumbers('exchangeRates')
  const detail = JSON.stringify({ before: before?.rate ?? null, after: rate, validFrom })
  await writeAuditLog('rate.set', objectOf(key), detail)
  return { fromCurrency, toCurrency, validFrom, source: ENTERED }
}

/**
 * Removing it twice changes nothing.
 * @throws Refusal insufficient_scope, four_eyes_required; invalid_parameter for a rate of a source
 */
export const removeRate = (key: RateKey) => inTransaction(() => remove(key))

async function remove({ source, ...pair }: RateKey) {
  assertMayEnterRates()
  if (Number(source) !== ENTERED)
    throw invalidParameter('source', 'a rate of a source is removed there')
  const key = { ...pair, source_ID: ENTERED }
  const before = await readEntered(key)
  if (!before) return
  await DELETE.from(ExchangeRates).where(key)
  await takeNumbers('exchangeRates')
  const detail = JSON.stringify({ before: before.rate, validFrom: pair.validFrom })
  await writeAuditLog('rate.removed', objectOf(pair), detail)
}

const readEntered = (key: object) =>
  readAs<{ rate: string }>(SELECT.one.from(ExchangeRates).columns('rate').where(key))

const objectOf = ({ fromCurrency, toCurrency }: Omit<Rate, 'rate'>) =>
  `rate:${fromCurrency}/${toCurrency}`

function assertCurrency(code: string, target: string) {
  if (!CURRENCY.test(code ?? '')) throw invalidParameter(target, CURRENCY_RULE)
}

// Exact arithmetic: amounts and rates are never rounded before they are compared.

/** An exact number; the denominator is positive. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

const ZERO: Fraction = { numerator: 0n, denominator: 1n }

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

/** @param decimal such as `10000.00`; databases also write `1e-7` */
export function fractionOf(decimal: string | number): Fraction {
  const [, sign, whole, part = '', exponent = '0'] = DECIMAL.exec(String(decimal)) ?? []
  if (whole === undefined) throw new RangeError(`${decimal} is no decimal number.`)
  const digits = BigInt(`${sign}${whole}${part}`)
  const decimals = part.length - Number(exponent)
  return decimals < 0
    ? { numerator: digits * 10n ** BigInt(-decimals), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(decimals) }
}

const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})

const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

/** @param value positive */
const inverse = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: denominator,
  denominator: numerator,
})

export const isAtMost = (a: Fraction, b: Fraction) =>
  a.numerator * b.denominator <= b.numerator * a.denominator

/** A decimal string with two places, for people: rounded half up. @param value not negative */
export function toMoney({ numerator, denominator }: Fraction): string {
  const cents = (numerator * 200n + denominator) / (denominator * 2n)
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
