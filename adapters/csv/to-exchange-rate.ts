import type { RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'

export function toExchangeRate(row: Row): RecordOf<'exchangeRates'> {
  const [fromCurrency, toCurrency] = [row.currency('from'), row.currency('to')]
  if (fromCurrency === toCurrency) throw new BadValue('to', 'must be another currency than from')
  return { fromCurrency, toCurrency, validFrom: row.day('valid_from'), rate: row.rate('rate') }
}
