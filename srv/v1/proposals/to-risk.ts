import { z } from 'zod'
import type { Risk as Stored } from '#cds-models/ProposalsService'
import type { Answered } from '../../store/answered.ts'
import { toId } from '../http/ids.ts'

const Risk = z
  .object({
    quantity: z.number(),
    stockout_probability: z
      .number()
      .min(0)
      .max(1)
      .describe('Before the order of the next review could arrive.'),
    stockout_day: z.iso
      .date()
      .nullable()
      .describe('When the median demand has used up the supply; null: not within a year.'),
    days_of_supply_p50: z.number(),
    days_of_supply_p90: z.number(),
    value: z.string().nullable(),
  })
  .meta({ id: 'Risk' })

export const ProposalRisk = z
  .object({
    id: z.string(),
    as_of: z.iso.date(),
    currency: z.string().nullable(),
    none: Risk.describe('Without an order.'),
    proposed: Risk.describe('With the quantity of the proposal.'),
    asked: Risk.nullable().describe('With the quantity asked for.'),
  })
  .meta({ id: 'ProposalRisk' })

/** As ProposalsService answers it. */
export type ServiceRisk = Answered<Stored>

export const toRisk = (row: ServiceRisk): z.infer<typeof ProposalRisk> => ({
  id: toId('prop', row.ID),
  as_of: row.asOf,
  currency: row.currency,
  none: toQuantityRisk(row.none),
  proposed: toQuantityRisk(row.proposed),
  asked: row.asked && toQuantityRisk(row.asked),
})

const toQuantityRisk = (risk: ServiceRisk['none']): z.infer<typeof Risk> => ({
  quantity: risk.quantity,
  stockout_probability: risk.stockoutProbability,
  stockout_day: risk.stockoutDay,
  days_of_supply_p50: risk.daysOfSupplyP50,
  days_of_supply_p90: risk.daysOfSupplyP90,
  value: risk.value === null ? null : risk.value.toFixed(2),
})
