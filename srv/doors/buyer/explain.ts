// Calculation, outlook and risk of one proposal, computed when they are read.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { addDays, type Calculation, type LastLotTerm } from '../../../engine/proposal/index.ts'
import { isRefusal } from '../../base/errors.ts'
import {
  bridgeOfProposal,
  type Cleaning,
  cleaningOfProposal,
  type Evidence,
  evidenceOfProposal,
  type Outlook,
  outlookOfProposal,
  type Risk,
  riskOfProposal,
} from '../../domain/proposals/index.ts'
import { readVisibleProposal, rejectParameter, toODataRefusal } from './visible-proposal.ts'
import {
  codeNames,
  message,
  written,
  writtenChance,
  writtenChange,
  writtenPrice,
} from '../../base/texts/texts.ts'
import { formatMoney } from './supplier-orders.ts'

const ADDED_TERMS = [
  ...['lead_time_safety', 'beyond_horizon', 'backorders', 'reserved', 'expiring'],
]
const SUBTRACTED_TERMS = [
  ...['covered_later', 'lost_before_arrival', 'on_hand', 'on_order'],
  ...['in_inspection', 'drafts', 'open_proposals'],
]

export async function readFormulaLines(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  const { proposal, lines } = await evidenceOfProposal(ID)
  const shown = await showCalculation(proposal.calculation, lines, proposal.currency)
  return shown.map((line, at) => ({ proposal: ID, line: at + 1, ...line }))
}

/** A sum line by line, in words. */
export async function showCalculation(
  calculation: Calculation,
  lines: Evidence['lines'],
  currency: string | null,
) {
  const nameOf = await codeNames('CalculationTerms')
  const { lastLot: lot } = calculation
  return [...safetyLines(calculation), ...lines].map(({ term, value }) => ({
    ...{ term, termText: nameOf(term) },
    how:
      explanationOf(term, calculation) +
      (term === 'quantity' && lot ? `. ${lastLotText(lot, currency)}` : ''),
    value: SUBTRACTED_TERMS.includes(term) ? -value || 0 : value,
  }))
}

/** What the target stock is made of: the median of demand and, above it, the safety stock; none where it lies below. */
function safetyLines({ p50, targetStock }: Evidence['proposal']['calculation']) {
  if (!(targetStock >= p50)) return []
  return [
    { term: 'demand_p50', value: p50 },
    { term: 'safety_stock', value: targetStock - p50 },
  ]
}

/** What the last lot buys, by the costs in force. */
const lastLotText = (
  { units, chance, saving, carryingCost }: LastLotTerm,
  currency: string | null,
) =>
  message('how_last_lot', {
    ...{ units, chance: Math.round(1000 * chance) / 10, currency },
    ...{ saving: writtenPrice(saving), carrying: writtenPrice(carryingCost) },
  })

/** Message of each term whose explanation has numbers. */
const EXPLANATIONS: Record<string, string> = {
  demand_p50: 'how_median',
  safety_stock: 'how_safety',
  net_requirement: 'how_net',
  rounded: 'how_rounded',
  limited: 'how_limited',
  price_break: 'how_price_break',
  supplier_minimum: 'how_supplier',
  free_freight: 'how_free_freight',
  quantity: 'how_quantity',
}

function explanationOf(term: string, sum: Evidence['proposal']['calculation']): string {
  if (ADDED_TERMS.includes(term)) return message('how_added')
  if (SUBTRACTED_TERMS.includes(term)) return message('how_taken')
  const isSplit = safetyLines(sum).length > 0
  const key = term === 'target_stock' ? (isSplit ? 'how_target' : 'how_first') : EXPLANATIONS[term]
  if (!key) return ''
  return message(key, {
    level: `P${Math.round(sum.targetQuantile * 100)}`,
    ...{ days: sum.horizonDays, moq: sum.moq, lot: sum.lotSize },
    ...{ limit: sum.limit, raise: sum.supplierMinimum },
    share: Math.round((100 * (sum.targetStock - sum.p50)) / (sum.targetStock || 1)),
    ...moneyArgs(term, sum),
  })
}

/** The values of sentences about terms that compare costs. */
function moneyArgs(term: string, { priceBreak, freeFreight }: Evidence['proposal']['calculation']) {
  if (term === 'price_break' && priceBreak) {
    const { units, from, unitCost, saving, carryingCost } = priceBreak
    return {
      ...{ raise: units, from, price: writtenPrice(unitCost), saving: writtenPrice(saving) },
      carrying: writtenPrice(carryingCost),
    }
  }
  if (term === 'free_freight' && freeFreight) {
    const { units, freightCost, carryingCost } = freeFreight
    return {
      raise: units,
      ...{ freight: writtenPrice(freightCost), carrying: writtenPrice(carryingCost) },
    }
  }
  return {}
}

interface Bought {
  ID?: number | null
  quantity?: number | string | null
  valueAtRisk?: number | string | null
  currency?: string | null
  buys?: string | null
}

/** What an order does: for the page of one, not for lists. @param requested the elements that the query selects */
export async function addBuys(rows: Bought[], requested: Set<string> | undefined) {
  if (!requested?.has('buys')) return
  for (const row of rows) {
    const risk = await riskOfProposal({ ID: row.ID!, quantity: null }).catch((error) => {
      if (isRefusal(error)) return null
      throw error
    })
    row.buys = risk && buysText(row, risk)
  }
}

/** A chance that no quantity changes is told from here on. */
const WORTH_TELLING = 0.05

/** `From 4.4 % to 4 %, and saves 12.30 EUR.`: from its arrival on; what it cannot change before is said beside it. */
function buysText({ quantity, valueAtRisk, currency }: Bought, { none, proposed }: Risk) {
  const args = {
    quantity: Number(quantity),
    from: writtenChance(none.stockoutAfterArrival),
    to: writtenChance(proposed.stockoutAfterArrival),
    saved: valueAtRisk == null ? '' : formatMoney(Math.abs(Number(valueAtRisk)), currency ?? null),
  }
  const saves = Number(valueAtRisk) < 0 ? 'buys_costs' : 'buys_saves'
  const text = message(valueAtRisk == null ? 'buys' : saves, args)
  const before = proposed.stockoutBeforeArrival
  if (before < Math.max(proposed.stockoutAfterArrival, WORTH_TELLING)) return text
  return `${text} ${message('buys_before', { before: writtenChance(before) })}`
}

/** Forecast elements of a past week. */
const NO_FORECAST = {
  ...{ isForecast: false, demandP10: null, demandP90: null, arriving: null, arrivesOn: null },
  ...{ stockP10: null, stockP50: null, stockP90: null, stockWithOrder: null },
  demandBefore: null,
}

/** Elements of a week ahead that only a past one has. */
const NOT_PAST = {
  days: null,
  ...{ outOfStock: null, closed: null, outliers: null, returns: null, cleaning: null },
}

const KINDS_OF_CLEANING = ['outOfStock', 'closed', 'outliers', 'returns'] as const

/** `Out of stock 3 · returns 1`; null if the demand of no day was corrected. */
function cleaningText(week: Outlook['past'][number]): string | null {
  const parts = KINDS_OF_CLEANING.filter((kind) => week[kind] > 0).map((kind) =>
    message(`cleaned_${kind}`, { days: week[kind] }),
  )
  return parts.join(' · ') || null
}

/** As many past weeks as may be asked for: a year. */
const MOST_WEEKS = 52

/** How many are asked for; undefined for the usual ones. */
export function pastWeeksOf(req: Request) {
  const { weeks } = req.data as { weeks?: number | null }
  return weeks ? Math.min(MOST_WEEKS, weeks) : undefined
}

/** Past and future weeks; none while the pair has no forecast. */
export async function readOutlookWeeks(service: cds.ApplicationService, req: Request) {
  const { ID, quantity } = await readVisibleProposal(service, req)
  let outlook: Outlook
  try {
    outlook = await outlookOfProposal(ID, pastWeeksOf(req))
  } catch (error) {
    if (isRefusal(error) && error.code === 'forecast_not_ready') return []
    throw error
  }
  return showOutlook(outlook, quantity)
}

/** @param quantity of an order of today */
export function showOutlook(outlook: Omit<Outlook, 'ID'>, quantity: number) {
  const arrival = arrivalDate(outlook)
  const subtract = (supply: number | null, demand: number) =>
    supply === null ? null : supply - demand
  return [
    ...outlook.past.map((week) => ({ ...NO_FORECAST, ...week, cleaning: cleaningText(week) })),
    ...outlook.ahead.map(({ least, most, before, p10, p50, p90, supply, ...week }) => ({
      ...{ ...NOT_PAST, ...week, isForecast: true },
      ...{ demandBefore: before, demandP10: least, demandP90: most },
      ...{
        stockP10: subtract(supply, p90),
        stockP50: subtract(supply, p50),
        stockP90: subtract(supply, p10),
      },
      stockWithOrder: subtract(
        supply === null ? null : supply + (week.date >= arrival ? quantity : 0),
        p50,
      ),
    })),
  ]
}

/** When an order of today would arrive; the last day shown if the lead time is unknown. */
function arrivalDate({ asOf, leadTimeDays }: Omit<Outlook, 'ID'>): string {
  if (leadTimeDays === null) return '9999-12-31'
  return addDays(asOf, leadTimeDays)
}

/** A table of the app shows no more rows than these. */
const MOST_DAYS = 100

/** The latest day first. */
export async function readCleanedDays(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  return showCleanedDays((await cleaningOfProposal(ID)).days)
}

export async function showCleanedDays(days: Cleaning['days']) {
  const nameOf = await codeNames('CleaningReasons')
  return days
    .map(({ reasons, ...day }) => ({ ...day, reason: reasons.map(nameOf).join(' · ') }))
    .reverse()
    .slice(0, MOST_DAYS)
}

export async function readBridge(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  const { steps } = await bridgeOfProposal(ID)
  const nameOf = await codeNames('BridgeSteps')
  const sums = steps.flatMap(({ from, to }) => [from, to])
  const scale = { least: Math.min(0, ...sums), most: Math.max(0, ...sums) }
  return steps.map((step) => ({
    ...{ ...step, ...scale, name: nameOf(step.code) },
    amountText: step.isTotal ? written(step.amount) : writtenChange(step.amount),
  }))
}

export async function readRisk(service: cds.ApplicationService, req: Request) {
  const proposal = await readVisibleProposal(service, req)
  const { quantity } = req.data as { quantity: unknown }
  if (quantity != null && !(Number.isSafeInteger(Number(quantity)) && Number(quantity) >= 0)) {
    return rejectParameter(req, 'quantity', message('quantity_invalid'))
  }
  const asked = quantity == null ? null : Number(quantity)
  try {
    const { ID: _, ...risk } = await riskOfProposal({ ID: proposal.ID, quantity: asked })
    return risk
  } catch (error) {
    throw await toODataRefusal(error, proposal)
  }
}
