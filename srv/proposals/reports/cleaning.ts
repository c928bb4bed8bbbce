import type * as Service from '#cds-models/ProposalsService'
import { send } from '../../services.ts'
import { Forecasts } from '../../store/entities.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { readProposal } from '../lifecycle/transition.ts'

type Cleaning = ServiceRow<Service.Cleaning>

/** What the forecast of now takes otherwise than it was booked; no days where there is none. */
export async function cleaningOfProposal(ID: number): Promise<Cleaning> {
  const { series } = await readProposal(ID)
  const row = await SELECT.one.from(Forecasts).columns('asOf').where({ series })
  const asOf = row?.asOf ?? null
  return { ID, asOf, days: asOf ? await readCleaning(series, asOf) : [] }
}

export const readCleaning = (series: number, asOf: string) =>
  send<Cleaning['days']>('ForecastingService', 'cleaning', { series, asOf })
