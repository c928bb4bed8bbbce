// The rows of planned independent requirements, as descriptions of the service have them.
import { PLANNED_REQUIREMENT } from '../services.ts'

const HEADER_KEY = [
  'Product',
  'Plant',
  'MRPArea',
  'PlndIndepRqmtType',
  'PlndIndepRqmtVersion',
  'RequirementPlan',
  'RequirementSegment',
]

export const REQUIREMENTS = {
  service: PLANNED_REQUIREMENT,
  set: 'PlannedIndepRqmt',
  key: HEADER_KEY,
  select: [...HEADER_KEY, 'PlndIndepRqmtIsActive'],
}

export const REQUIREMENT_ITEMS = {
  service: PLANNED_REQUIREMENT,
  set: 'PlannedIndepRqmtItem',
  key: [...HEADER_KEY, 'PlndIndepRqmtPeriod', 'PeriodType'],
  select: [...HEADER_KEY, 'PeriodType', 'WorkingDayDate', 'PlannedQuantity'],
}

/** Which products have rows. */
export const PRODUCTS_OF_ITEMS = {
  ...REQUIREMENT_ITEMS,
  select: [...REQUIREMENT_ITEMS.key],
}

/** The key of a requirement in sets. */
export const requirementKey = (row: object): string =>
  HEADER_KEY.map((field) => String((row as Record<string, unknown>)[field] ?? '')).join('\n')
