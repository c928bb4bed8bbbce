// The defaults that apply if neither a rule nor the ERP has a value: the settings in force.
import type { Request } from '@sap/cds'
import { configuredAmount, type Limit, readRoleLimits } from '../../domain/authority/index.ts'
import { settings } from '../../base/settings/config.ts'
import { writtenSchedule } from '../../base/texts/schedule.ts'
import { message, writtenAmount, writtenShare } from '../../base/texts/texts.ts'
import { pageOf } from './rows.ts'

export async function readDefaults(request: Request) {
  const rows = [...orderingDefaults(), ...(await approvalDefaults())]
  return pageOf(
    request,
    rows.map(({ key, value }, at) => ({
      ...{ position: at + 1, name: message(`default_${key}`), value },
    })),
  )
}

interface Default {
  key: string
  value: string
}

const days = (count: number) => message('default_days', { count })

function orderingDefaults(): Default[] {
  const all = settings()
  const { stockoutCostShare, carryingCostSharePerYear, unmetDemand, currency, schedules } = all
  return [
    { key: 'review_period', value: days(all.reviewPeriodDays) },
    { key: 'lead_time', value: message(`default_lead_time_${all.leadTimeSource}`) },
    { key: 'stockout_cost', value: writtenShare(stockoutCostShare) },
    { key: 'carrying_cost', value: writtenShare(carryingCostSharePerYear) },
    { key: 'unmet_demand', value: message(`default_${unmetDemand}`) },
    { key: 'proposal_expiry', value: days(all.proposalExpiryDays) },
    { key: 'stale_data', value: days(all.staleDataAfterDays) },
    { key: 'schedule_full', value: writtenSchedule(schedules.full, all.timeZone) },
    { key: 'schedule_incremental', value: writtenSchedule(schedules.incremental, all.timeZone) },
    { key: 'currency', value: currency },
  ]
}

async function approvalDefaults(): Promise<Default[]> {
  const { secondApproverAbove, userLeftAfterDays } = settings()
  const limits = [...(await readRoleLimits())].map(([role, limit]) => ({
    key: `limit_${role}`,
    value: limitText(limit),
  }))
  const above = configuredAmount(secondApproverAbove)
  const second = above ? amountText(above.value, above.currency) : message('default_off')
  return [
    ...limits,
    { key: 'second_approver', value: second },
    { key: 'user_left', value: days(userLeftAfterDays) },
  ]
}

const amountText = (value: string, currency: string) =>
  `${writtenAmount(Number(value))} ${currency}`

/** `10,000.00 EUR per line, 10,000.00 EUR per supplier and day`. */
export function limitText(limit: Limit | null): string {
  if (!limit) return message('limit_unlimited')
  const { line, day } = limit
  const parts = [
    line && message('limit_per_line', { value: amountText(line.value, line.currency) }),
    day && message('limit_per_day', { value: amountText(day.value, day.currency) }),
  ]
  return parts.filter(Boolean).join(', ')
}
