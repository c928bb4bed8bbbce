// Which data a forecast lacks, for whoever could provide them.
import type { Days, MissingData } from '../types.ts'
import { missingDays } from './confidence.ts'

/** What is known of a history, as far as it may be too little; plain data. */
export interface KnownData {
  /** Since the first row; absent where no horizon lacks any. */
  historyDays?: Days
  isSoldOnce?: true
  isStockUnknown?: true
  isUnmeasured?: true
}

/** What is missing for a horizon. */
export function missingData(known: KnownData, horizon: Days): MissingData[] {
  const { historyDays = Infinity, isSoldOnce, isStockUnknown, isUnmeasured } = known
  const missing: MissingData[] = []
  const days = missingDays(historyDays, horizon)
  if (days > 0) missing.push({ code: 'demand_history', days })
  if (isSoldOnce) missing.push({ code: 'second_sale', days: null })
  if (isStockUnknown) missing.push({ code: 'stock_history', days: null })
  if (isUnmeasured) missing.push({ code: 'measured_past', days: null })
  return missing
}

/** In English, for /v1 and the command line. */
export function describeMissing({ code, days }: MissingData): string {
  if (code === 'demand_history') return `demand of ${days} more ${days === 1 ? 'day' : 'days'}`
  return SENTENCES[code]
}

const SENTENCES = {
  second_sale: 'sales on a second day',
  stock_history: 'stock: days without stock cannot be told from days without demand',
  measured_past: 'past forecasts: too few to measure how often they were right',
}
