import type { RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import { emptyValue } from '../rows/values.ts'
import type { Row } from './row.ts'

export function toExchangeRate(row: Row): RecordOf<'exchangeRates'> {
  const fromCurrency = present(row.currencyOrNull('from'), 'from')
  const toCurrency = present(row.currencyOrNull('to'), 'to')
  if (fromCurrency === toCurrency) throw new BadValue('to', 'must be another currency than from')
  const validFrom = present(row.dayOrNull('valid_from'), 'valid_from')
  return { fromCurrency, toCurrency, validFrom, rate: row.rate('rate') }
}

function present(value: string | null, column: string): string {
  if (value === null) throw emptyValue(column)
  return value
}
