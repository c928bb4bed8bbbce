import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { PLAN_KINDS } from '../../../engine/index.ts'
import { countryCodes } from '../../../holidays/public-holidays.ts'
import * as plans from '../../domain/plans/index.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { message } from '../../base/texts/texts.ts'
import * as money from '../../domain/money/index.ts'
import { decimalText, optionalText, parseInput } from './fields.ts'
import { keyOf, pageOf, readOwnRow, type ODataRow } from './rows.ts'

const NewEvent = z.object({
  kind: z.enum(PLAN_KINDS),
  firstDay: z.iso.date(),
  lastDay: z.iso.date().nullish(),
  sku: optionalText(100),
  location: optionalText(100),
  skuGroup: optionalText(100),
  factor: z.number().nullish(),
  price: z.number().min(0).nullish(),
  name: optionalText(200),
})

export async function addEvent({ data }: Request<ODataRow>) {
  const { ID } = await plans.addEvent(parseInput(NewEvent, data))
  return readOwnRow('PlannedEvents', { ID })
}

export function nameSku(row: ODataRow) {
  if ('sku' in row) row.skuText = row.sku ? plainCode(String(row.sku)) : null
}

export const removeEvent = (request: Request) => plans.removeEvent(keyOf(request)!)

const NewCalendar = z.object({
  location: optionalText(100),
  country: optionalText(2),
  region: optionalText(20),
})

export async function setHolidays({ data }: Request<ODataRow>) {
  const { location } = await plans.setCalendar(parseInput(NewCalendar, data))
  return readOwnRow('HolidayCalendars', { location })
}

export const removeHolidays = (request: Request) =>
  plans.removeCalendar(keyOf<string>(request, 'location') ?? '')

/** `Germany, BY`; what an empty country says is none. */
export function nameCountry(row: ODataRow) {
  if (row.country === undefined) return
  const parts = row.country === null ? [message('no_holidays')] : [nameOf(String(row.country))]
  row.countryText = [...parts, row.region].filter(Boolean).join(', ')
}

export async function readCountries(request: Request) {
  const codes = await countryCodes()
  const rows = codes.map((code) => ({ code, name: nameOf(code) }))
  return pageOf(
    request,
    rows.sort((a, b) => a.name.localeCompare(b.name, locale())),
  )
}

const locale = () => (cds.context?.locale ?? 'en').replaceAll('_', '-')
const nameOf = (code: string) =>
  new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code

interface NewRate {
  fromCurrency: string
  toCurrency: string
  rate: number | string
  validFrom: string
}

export const setRate = async ({ data }: Request<NewRate>) =>
  readOwnRow('ExchangeRates', await money.setRate({ ...data, rate: decimalText(data.rate) }))

export const removeRate = ({ params }: Request) => money.removeRate(params[0] as money.RateKey)
