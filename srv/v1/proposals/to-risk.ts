import { z } from 'zod'
import type { Risk as Stored } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { toId } from '../http/ids.ts'

/** As ProposalsService answers it. */
type ServiceRisk = ServiceRow<Stored>
type QuantityRisk = ServiceRisk['none']

const [Risk, toRiskOfQuantity] = fieldMap<QuantityRisk>()('Risk', {
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
  value: fieldsOf<QuantityRisk>()('value', z.string().nullable(), (value) =>
    value === null ? null : value.toFixed(2),
  ),
})

const field = fieldsOf<ServiceRisk>()

export const [ProposalRisk, toRisk] = fieldMap<ServiceRisk>()('ProposalRisk', {
  id: field('ID', z.string(), (ID) => toId('prop', ID)),
  as_of: z.iso.date(),
  currency: z.string().nullable(),
  none: field('none', Risk.describe('Without an order.'), toRiskOfQuantity),
  proposed: field(
    'proposed',
    Risk.describe('With the quantity of the proposal.'),
    toRiskOfQuantity,
  ),
  asked: field(
    'asked',
    Risk.nullable().describe('With the quantity asked for.'),
    (asked) => asked && toRiskOfQuantity(asked),
  ),
})
