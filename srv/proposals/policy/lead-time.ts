import type { MeasuredLeadTime } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import type { RuleValue } from './book.ts'

interface Decided {
  leadTimeDays: RuleValue<number | null>
  leadTimeDeviationDays: RuleValue<number | null>
}

/**
 * The lead time to plan with, where receipts say something about it. What a rule says stands; else the setting
 * `leadTimeSource` decides between the ERP's value and the measured one, which comes with its spread.
 */
export function withMeasured(
  { leadTimeDays: planned, leadTimeDeviationDays: deviation }: Decided,
  measured: MeasuredLeadTime | null,
): Decided {
  const { leadTimeSource } = settings()
  const isUsed =
    measured && leadTimeSource !== 'planned' && (planned.from === 'erp' || planned.from === null)
  if (!isUsed) return { leadTimeDays: planned, leadTimeDeviationDays: deviation }
  const keepsPlanned = leadTimeSource === 'larger' && (planned.value ?? -1) >= measured.days
  return {
    leadTimeDays: keepsPlanned ? planned : { value: measured.days, from: 'measured' },
    leadTimeDeviationDays:
      deviation.from === null ? { value: measured.deviationDays, from: 'measured' } : deviation,
  }
}
