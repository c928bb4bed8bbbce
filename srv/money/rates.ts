import { type Fraction, fractionOf, inverse, plus, times, ZERO } from './fraction.ts'

export interface Amount {
  /** Decimal string. */
  value: string
  currency: string
}

export interface Rate {
  fromCurrency: string
  toCurrency: string
  /** What one unit of the first currency is worth in the second; a positive decimal. */
  rate: string
}

const ONE: Fraction = { numerator: 1n, denominator: 1n }

/** The rates of a day. */
export class Rates {
  readonly #direct: ReadonlyMap<string, Fraction>
  readonly #account: string

  /** @param account the account's currency, by way of which the others are converted */
  constructor(rates: Rate[], account: string) {
    this.#direct = new Map(
      rates.map(({ fromCurrency, toCurrency, rate }) => [
        `${fromCurrency} ${toCurrency}`,
        fractionOf(rate),
      ]),
    )
    this.#account = account
  }

  /** The direct rate, else the inverse one, else by way of the account's currency; null where none is known. */
  between(from: string, to: string): Fraction | null {
    const single = this.#single(from, to)
    if (single) return single
    const [there, on] = [this.#single(from, this.#account), this.#single(this.#account, to)]
    return there && on && times(there, on)
  }

  /** The exact sum in one currency. @returns the first currency without a rate where there is one */
  sumIn(currency: string, amounts: Amount[]): Fraction | { unknown: string } {
    let sum = ZERO
    for (const amount of amounts) {
      const rate = this.between(amount.currency, currency)
      if (!rate) return { unknown: amount.currency }
      sum = plus(sum, times(fractionOf(amount.value), rate))
    }
    return sum
  }

  #single(from: string, to: string): Fraction | null {
    if (from === to) return ONE
    const direct = this.#direct.get(`${from} ${to}`)
    if (direct) return direct
    const back = this.#direct.get(`${to} ${from}`)
    return back ? inverse(back) : null
  }
}
