// Why this quantity, and what comes of it: asked for one proposal at a time, computed when asked.
import cds, { type Request } from '@sap/cds'
import type * as Service from '#cds-models/ProposalsService'
import { isRefusal } from '../errors.ts'
import type { ServiceRow } from '../store/service-row.ts'
import type { Evidence } from '../store/proposal.ts'
import { toODataError } from './refusals.ts'
import { codeNames, message } from '../texts.ts'
import { visibleProposal } from './visible.ts'

const ADDED = ['lead_time_safety', 'beyond_horizon', 'backorders']
const TAKEN_OFF = ['on_hand', 'on_order', 'open_proposals']

export async function formulaLines(service: cds.ApplicationService, req: Request) {
  const { ID } = await visibleProposal(service, req)
  const proposals = await cds.connect.to('ProposalsService')
  const { proposal, lines }: Evidence = await proposals.send('evidence', { ID })
  const nameOf = await codeNames('CalculationTerms')
  return lines.map(({ term, value }, at) => ({
    ...{ proposal: ID, line: at + 1, term, termText: nameOf(term) },
    how: howOf(term, proposal.calculation),
    value,
  }))
}

/** Terms that are explained by their own numbers. */
const HOW: Record<string, string> = {
  target_stock: 'how_first',
  net_requirement: 'how_net',
  rounded: 'how_rounded',
  limited: 'how_limited',
  supplier_minimum: 'how_supplier',
  quantity: 'how_quantity',
}

function howOf(term: string, sum: Evidence['proposal']['calculation']): string {
  if (ADDED.includes(term)) return message('how_added')
  if (TAKEN_OFF.includes(term)) return message('how_taken')
  const key = HOW[term]
  if (!key) return ''
  return message(key, {
    level: `P${Math.round(sum.targetQuantile * 100)}`,
    ...{ days: sum.horizonDays, moq: sum.moq, lot: sum.lotSize },
    ...{ limit: sum.limit, raise: sum.supplierMinimum },
  })
}

type Outlook = ServiceRow<Service.Outlook>

/** A past week says nothing of these, and says so. */
const NOTHING_AHEAD = {
  ...{ isForecast: false, demandP10: null, demandP50: null, demandP90: null, arriving: null },
  ...{ stockP10: null, stockP50: null, stockP90: null, stockWithOrder: null },
}

/** Weeks of the past and ahead; none while the pair is not forecast. */
export async function outlookWeeks(service: cds.ApplicationService, req: Request) {
  const { ID, quantity } = await visibleProposal(service, req)
  const proposals = await cds.connect.to('ProposalsService')
  let outlook: Outlook
  try {
    outlook = await proposals.send('outlook', { ID })
  } catch (error) {
    if (isRefusal(error) && error.code === 'forecast_not_ready') return []
    throw error
  }
  const arrival = arrivalOf(outlook)
  const less = (supply: number | null, demand: number) => (supply === null ? null : supply - demand)
  return [
    ...outlook.past.map((week) => ({ ...NOTHING_AHEAD, ...week })),
    ...outlook.ahead.map(({ date, demand, p10, p50, p90, arriving, supply }) => ({
      ...{ date, isForecast: true, demand, arriving },
      ...{ demandP10: p10, demandP50: p50, demandP90: p90 },
      ...{ stockP10: less(supply, p90), stockP50: less(supply, p50), stockP90: less(supply, p10) },
      stockWithOrder: less(supply === null ? null : supply + (date >= arrival ? quantity : 0), p50),
    })),
  ]
}

/** When an order of today would arrive; never where the lead time is not known. */
function arrivalOf({ asOf, leadTimeDays }: Outlook): string {
  if (leadTimeDays === null) return '9999-12-31'
  return new Date(Date.parse(asOf) + leadTimeDays * 86_400_000).toISOString().slice(0, 10)
}

export async function riskOf(service: cds.ApplicationService, req: Request) {
  const proposal = await visibleProposal(service, req)
  const { quantity } = req.data as { quantity: unknown }
  if (quantity != null && !(Number.isSafeInteger(Number(quantity)) && Number(quantity) >= 0)) {
    return req.reject({
      status: 400,
      code: 'invalid_parameter',
      target: 'quantity',
      message: message('quantity_invalid'),
    } as never)
  }
  const proposals = await cds.connect.to('ProposalsService')
  const asked = quantity == null ? null : Number(quantity)
  try {
    const { ID: _, ...risk }: ServiceRow<Service.Risk> = await proposals.send('risk', {
      ID: proposal.ID,
      quantity: asked,
    })
    return risk
  } catch (error) {
    throw await toODataError(error, proposal)
  }
}
