import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toPlanning = (row: Row): RecordOf<'planning'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  leadTimeDays: row.daysOrNull('lead_time_days'),
  reviewPeriodDays: row.daysOrNull('review_period_days', 1),
  moq: row.unitsOrNull('moq'),
  lotSize: row.positiveOrNull('lot_size'),
  supplier: row.codeOrNull('supplier'),
  unitCost: row.moneyOrNull('unit_cost'),
  currency: row.currencyOrNull('currency'),
  purchasable: row.flagOrNull('purchasable') ?? true,
  phaseOutOn: row.dayOrNull('phase_out_on'),
  successor: row.codeOrNull('successor'),
})
