// Exchange rates of administrators, in the caller's transaction.
import cds from '@sap/cds'
import { isRate } from '../../../adapters/records.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { ExchangeRates, readAs } from '../../base/database/entities.ts'
import { today } from '../../base/time/days.ts'

/** The source of rates that were entered: on the day of a source's rate they stand before it. */
const ENTERED = 0

interface NewRate {
  fromCurrency: string
  toCurrency: string
  /** Decimal string. */
  rate: string
  validFrom?: string | null
}

export interface RateKey {
  fromCurrency: string
  toCurrency: string
  validFrom: string
  source: number
}

const invalid = (target: string, rule: string) =>
  new Refusal('invalid_parameter', `${target}: ${rule}`, { target })

/** @throws Refusal invalid_parameter, its target the field at fault */
export async function setRate({ rate, ...given }: NewRate): Promise<RateKey> {
  const fromCurrency = currencyOf(given.fromCurrency, 'fromCurrency')
  const toCurrency = currencyOf(given.toCurrency, 'toCurrency')
  if (fromCurrency === toCurrency) throw invalid('toCurrency', 'must be another currency')
  if (!isRate(rate ?? '')) throw invalid('rate', 'must be a decimal number above 0')
  const validFrom = given.validFrom ?? today()
  const key = { fromCurrency, toCurrency, validFrom, source_ID: ENTERED }
  const before = await readAs<{ rate: string }>(
    SELECT.one.from(ExchangeRates).columns('rate').where(key),
  )
  await UPSERT.into(ExchangeRates).entries({
    ...{ ...key, rate },
    changedAt: new Date().toISOString(),
    changedBy: cds.context?.user?.id ?? 'system',
  })
  await takeNumbers('exchangeRates')
  const detail = JSON.stringify({ before: before?.rate ?? null, after: rate, validFrom })
  await writeAuditLog('rate.set', objectOf(key), detail)
  return { fromCurrency, toCurrency, validFrom, source: ENTERED }
}

/** Removing it twice changes nothing. @throws Refusal invalid_parameter for a rate of a source */
export async function removeRate({ source, ...pair }: RateKey) {
  if (Number(source) !== ENTERED) {
    throw invalid('source', 'a rate of a source is removed there')
  }
  const key = { ...pair, source_ID: ENTERED }
  const before = await readAs<{ rate: string }>(
    SELECT.one.from(ExchangeRates).columns('rate').where(key),
  )
  if (!before) return
  await DELETE.from(ExchangeRates).where(key)
  await takeNumbers('exchangeRates')
  const detail = JSON.stringify({ before: before.rate, validFrom: pair.validFrom })
  await writeAuditLog('rate.removed', objectOf(pair), detail)
}

const objectOf = ({ fromCurrency, toCurrency }: { fromCurrency: string; toCurrency: string }) =>
  `rate:${fromCurrency}/${toCurrency}`

function currencyOf(code: string | null | undefined, target: string): string {
  if (/^[A-Z]{3}$/.test(code ?? '')) return code!
  throw invalid(target, 'must be a currency of ISO 4217 such as "EUR"')
}
