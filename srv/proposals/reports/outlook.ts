import type * as Service from '#cds-models/ProposalsService'
import { toDate, toEpochDay } from '../../../engine/index.ts'
import type { DemandForecast, ProposalInput } from '../../../engine/proposal/index.ts'
import { Refusal } from '../../errors.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { loadHistories } from '../../store/demand/histories.ts'
import { readPairInputs } from '../inputs/pair-inputs.ts'
import { readProposal } from '../lifecycle/transition.ts'
import { readCleaning } from './cleaning.ts'

const PAST_WEEKS = 12
/** As far as the forecast reaches in whole weeks. */
const WEEKS_AHEAD = 12

type PastWeek = ServiceRow<Service.PastWeek>
type WeekAhead = ServiceRow<Service.WeekAhead>

/**
 * The demand of past weeks, and of weeks ahead with the supply that meets it.
 * @throws Refusal forecast_not_ready
 */
export async function outlookOfProposal(ID: number): Promise<ServiceRow<Service.Outlook>> {
  const { series } = await readProposal(ID)
  const pair = await readPairInputs(series)
  if (!pair?.input) {
    throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
  }
  const input = pair.input(0)
  const { asOf, planning } = input
  const past = await pastWeeks(series, asOf, pair.forecastAsOf ?? asOf)
  return { ID, asOf, leadTimeDays: planning.leadTimeDays, past, ahead: weeksAhead(input) }
}

/** @param forecastAsOf the day that the series was forecast on */
async function pastWeeks(series: number, asOf: string, forecastAsOf: string): Promise<PastWeek[]> {
  const today = toEpochDay(asOf)
  const days = PAST_WEEKS * 7
  const weeks = Array.from({ length: PAST_WEEKS }, (_, at): PastWeek => ({
    ...{ date: toDate(today - days + at * 7 + 6), demand: 0 },
    ...{ outOfStock: 0, closed: 0, outliers: 0, returns: 0 },
  }))
  const add = (day: number, name: keyof Omit<PastWeek, 'date'>, by = 1) => {
    const week = weeks[Math.floor((day - today + days) / 7)]
    if (week) week[name] += by
  }
  const options = { historyDays: days }
  const history = (await loadHistories([series], asOf, options)).get(series)
  history?.days.forEach((day, at) => add(day, 'demand', history.quantities[at]))
  for (const { date, booked, reasons } of await readCleaning(series, forecastAsOf)) {
    const day = toEpochDay(date)
    if (booked < 0) add(day, 'returns')
    for (const reason of reasons) if (MARKED[reason]) add(day, MARKED[reason])
  }
  return weeks
}

/** The count of a week for a reason; returns count on the days on which they were booked alone. */
const MARKED: Record<string, 'outOfStock' | 'closed' | 'outliers' | undefined> = {
  ...{ out_of_stock: 'outOfStock', closed: 'closed', outlier: 'outliers' },
}

function weeksAhead({ asOf, forecast, position }: ProposalInput): WeekAhead[] {
  const today = toEpochDay(asOf)
  const dueIn = (date: string | null) => Math.max(0, date === null ? 0 : toEpochDay(date) - today)
  const receipts = position.receipts ?? []
  const { statistical } = forecast
  const [own, plain] = [medianOfWeeks(forecast), statistical && medianOfWeeks(statistical)]
  let supply = position.onHand
  return Array.from({ length: WEEKS_AHEAD }, (_, week) => {
    const { p10, p50, p90 } = forecast.at((week + 1) * 7)
    const arriving = receipts
      .filter(({ date }) => Math.floor(dueIn(date) / 7) === week)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    if (supply !== null) supply += arriving
    const [demand, without = null] = [own(week), plain?.(week)]
    const before = without === demand ? null : without
    return { date: toDate(today + week * 7 + 6), demand, before, p10, p50, p90, arriving, supply }
  })
}

const medianOfWeeks = (demand: DemandForecast) => (week: number) =>
  demand.at((week + 1) * 7).p50 - (week ? demand.at(week * 7).p50 : 0)
