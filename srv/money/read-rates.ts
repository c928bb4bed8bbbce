// The rates that are valid today, from the table of administrators and from the sources.
import { settings } from '../config.ts'
import { FIRST_NUMBER, readCounter } from '../store/counters.ts'
import { ExchangeRates, readAs } from '../store/entities.ts'
import { today } from '../store/today.ts'
import { type Rate, Rates } from './rates.ts'

let known: { version: string; rates: Rates } | undefined

/** Changes whenever a rate does, and with the day once there are rates. */
export async function ratesVersion(): Promise<string> {
  const changes = await readCounter('exchangeRates')
  const { currency } = settings()
  return changes === FIRST_NUMBER ? currency : `${currency} ${today()} ${changes}`
}

/** The latest rate of each two currencies that is valid today. They are read again after a change only. */
export async function readRates(): Promise<Rates> {
  const version = await ratesVersion()
  if (known?.version === version) return known.rates
  const rates = new Rates(await readCurrent(today()), settings().currency)
  known = { version, rates }
  return rates
}

/** Two queries, however many rates of former days there are. */
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
  // Of several the last one counts: an administrator's, which is stored as that of source 0.
  return rows.filter((row) => isNewest.has(keyOf(row)))
}

interface Dated {
  fromCurrency: string
  toCurrency: string
  validFrom: string
}
