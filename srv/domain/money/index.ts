// Amounts and exchange rates: exact, and of any currency for which there is a rate.
export { fractionOf, isAtMost, toMoney, type Fraction } from './fraction.ts'
export {
  type Amount,
  type RateKey,
  Rates,
  ratesVersion,
  readRates,
  removeRate,
  setRate,
  totalOf,
} from './rates.ts'
