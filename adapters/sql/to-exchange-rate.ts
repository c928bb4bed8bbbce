import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toExchangeRate = (row: Row): RecordOf<'exchangeRates'> => ({
  fromCurrency: row.currency('from_currency'),
  toCurrency: row.currency('to_currency'),
  validFrom: row.day('valid_from'),
  rate: row.rate('rate'),
})
