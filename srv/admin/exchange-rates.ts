import type { Request } from '@sap/cds'
import { send } from '../services.ts'
import { decimalText } from './fields.ts'
import { readOwnRow } from './rows.ts'

const SERVICE = 'RatesService'

interface NewRate {
  fromCurrency: string
  toCurrency: string
  rate: number | string
  validFrom: string
}

interface RateKey {
  fromCurrency: string
  toCurrency: string
  validFrom: string
  source: number
}

export async function setRate({ data }: Request<NewRate>) {
  const { fromCurrency, toCurrency, validFrom } = data
  const key = await send<RateKey>(SERVICE, 'setRate', {
    ...{ fromCurrency, toCurrency, validFrom },
    rate: decimalText(data.rate),
  })
  return readOwnRow('ExchangeRates', key)
}

export const removeRate = ({ params }: Request) => send(SERVICE, 'removeRate', params[0] as RateKey)
