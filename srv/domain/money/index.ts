// Amounts and exchange rates: exact, and of any currency for which there is a rate.
export {
  type Amount,
  equivalentsOf,
  type Fraction,
  fractionOf,
  isAtMost,
  type RateKey,
  Rates,
  ratesVersion,
  readRates,
  removeRate,
  setRate,
  toMoney,
  totalOf,
} from './rates.ts'
