// Other inputs, other ways, movements and deciding rules of one proposal, in words.
import cds, { type Request } from '@sap/cds'
import type { Calculation } from '../../../engine/proposal/index.ts'
import { Locations, Suppliers } from '../../base/database/entities.ts'
import { isRefusal } from '../../base/errors.ts'
import { settings } from '../../base/settings/config.ts'
import { plainCode } from '../../base/texts/codes.ts'
import {
  hasMessage,
  message,
  written,
  writtenDay,
  writtenPrice,
  writtenShare,
} from '../../base/texts/texts.ts'
import { today } from '../../base/time/days.ts'
import {
  type Alternative,
  alternativesTo,
  type Draft,
  findProposal,
  movementsOfProposal,
  type OrderPromise,
  type Point,
  simulate,
  type Simulation,
  type SimulationGroup,
  whatIfOfProposal,
} from '../../domain/proposals/index.ts'
import { addNames } from './computed-elements.ts'
import { readVisibleProposal, rejectParameter, toODataRefusal } from './visible-proposal.ts'

/** Registers the handlers of srv/doors/buyer/model/explore.cds, and the simulation of costs.cds. */
export function handleExploring(service: cds.ApplicationService) {
  service.on('rules', 'Proposals', (req: Request) => readRules(service, req))
  service.on('whatIf', 'Proposals', (req: Request<WhatIfInput>) => readWhatIf(service, req))
  service.on('alternatives', 'Proposals', (req: Request) => readAlternatives(service, req))
  service.on('movements', 'Proposals', (req: Request) => readMovements(service, req))
  service.on('simulate', readSimulation)
}

/** The number of each value in a calculation, by its name in rules. Values that only the policy has have no number there. */
const VALUES: Record<string, (sum: Calculation) => number | null | undefined> = {
  lead_time: (sum) => sum.leadTimeDays,
  lead_time_deviation: (sum) => sum.leadTimeDeviationDays,
  review_period: (sum) => sum.reviewPeriodDays,
  moq: (sum) => sum.moq,
  lot_size: (sum) => sum.lotSize,
  maximum_order: (sum) => sum.maximumOrder,
  maximum_stock: (sum) => sum.maximumStock,
  shelf_life: (sum) => sum.shelfLifeDays,
  target_quantile: (sum) => sum.targetQuantile,
}

async function readRules(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  const { calculation } = await findProposal(ID)
  return Object.entries(calculation.rules ?? {}).map(([name, from]) => {
    const value = VALUES[name]?.(calculation)
    const share = shareOf(name, from, calculation)
    return {
      name: message(`rule_${name}`),
      value:
        share ??
        (name === 'target_quantile' ? `P${Math.round(Number(value) * 100)}` : written(value)),
      ...ruleOf(from),
    }
  })
}

/** Of a cost: what the last lot was weighed by; of a proposal from before that the configured one. */
function shareOf(name: string, from: string, { lastLot }: Calculation): string | null {
  const configured = from === 'configured' ? settings() : null
  const shares: Record<string, number | undefined> = {
    stockout_cost: lastLot?.stockoutRate ?? configured?.stockoutCostShare,
    carrying_cost: lastLot?.carryingRate ?? configured?.carryingCostSharePerYear,
  }
  const share = shares[name]
  return share === undefined ? null : writtenShare(share)
}

interface WhatIfInput {
  leadTimeDays?: number | null
  targetPercent?: number | null
  demandPercent?: number | null
  demandDays?: number | null
}

const LIMITS: [keyof WhatIfInput, number, number][] = [
  ['leadTimeDays', 0, 365],
  ['targetPercent', 50, 99.9],
  ['demandPercent', -100, 1000],
  ['demandDays', 1, 90],
]

async function readWhatIf(service: cds.ApplicationService, req: Request<WhatIfInput>) {
  const proposal = await readVisibleProposal(service, req)
  for (const [target, least, most] of LIMITS) {
    const value = req.data[target]
    if (value == null || (Number(value) >= least && Number(value) <= most)) continue
    rejectParameter(req, target, message(`what_if_${target}`, { least, most }))
  }
  const { leadTimeDays = null, targetPercent, demandPercent = null, demandDays = null } = req.data
  const asked = { ID: proposal.ID, leadTimeDays, demandPercent, demandDays }
  try {
    const targetQuantile = targetPercent == null ? null : targetPercent / 100
    const found = await whatIfOfProposal({ ...asked, targetQuantile })
    const { quantity, value, currency, orderBy, p50, targetStock } = found
    const text = message(quantity ? 'what_if_order' : 'what_if_none', {
      ...{ quantity, p50, target: targetStock, days: found.leadTimeDays },
      level: `P${Math.round(found.targetQuantile * 100)}`,
    })
    return { quantity, proposedQuantity: proposal.quantity, value, currency, orderBy, text }
  } catch (error) {
    throw await toODataRefusal(error, proposal)
  }
}

async function readAlternatives(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  const found = await alternativesTo(ID).catch((error): Alternative[] => {
    if (isRefusal(error)) return []
    throw error
  })
  const nameOf = await readNames(found)
  return found.map(({ kind, code, quantity, ...known }) => ({
    ...{ kind: message(`alternative_${kind}`), name: nameOf(kind, code), quantity },
    text: kind === 'transfer' ? message('alternative_spare') : supplierText(known),
  }))
}

async function readNames(found: { kind: string; code: string }[]) {
  const codes = (kind: string) => found.filter((row) => row.kind === kind).map(({ code }) => code)
  const of = { transfer: codes('transfer'), supplier: codes('supplier') }
  const locations = of.transfer.length
    ? await SELECT.from(Locations)
        .columns('location', 'name')
        .where({ location: { in: of.transfer } })
    : []
  const suppliers = of.supplier.length
    ? await SELECT.from(Suppliers)
        .columns('supplier', 'name')
        .where({ supplier: { in: of.supplier } })
    : []
  const names = new Map<string, string | null>([
    ...locations.map(({ location, name }) => [`transfer ${location}`, name] as const),
    ...suppliers.map(({ supplier, name }) => [`supplier ${supplier}`, name] as const),
  ])
  return (kind: string, code: string) => {
    const name = names.get(`${kind} ${code}`)
    return name ? `${code} (${name})` : code
  }
}

/** `1.95 a unit · lead time 12 days (8 receipts) · 25 % late · last receipt 2026-03-01` */
function supplierText({
  unitCost,
  leadTimeDays,
  receipts,
  shareLate,
  lastOn,
}: Omit<Alternative, 'kind' | 'code' | 'quantity'>) {
  const parts = [
    unitCost != null && message('alternative_price', { price: writtenPrice(Number(unitCost)) }),
    leadTimeDays != null &&
      message('alternative_lead_time', { days: Math.round(leadTimeDays), receipts }),
    shareLate != null && message('lead_time_late', { percent: Math.round(shareLate * 100) }),
    lastOn && message('alternative_last', { day: writtenDay(lastOn) }),
  ].filter(Boolean)
  return parts.join(' · ') || message('alternative_unknown')
}

async function readMovements(service: cds.ApplicationService, req: Request) {
  const { ID } = await readVisibleProposal(service, req)
  const found = await movementsOfProposal(ID)
  const now = today()
  return found.map(({ kind, date, due, document, supplier, quantity, draft, promise }) => ({
    ...{ kind: message(`movement_${kind}`), date, document, quantity },
    isPast: kind === 'receipt',
    text: [
      supplier,
      draft ? draftText(draft) : lateness(kind, date, due, now),
      ...(promise ? promiseTexts(promise, due) : []),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
}

/** What the supplier has confirmed, and what of the order is not counted therefore. */
function promiseTexts({ isConfirmed, date, unconfirmed }: OrderPromise, due: string | null) {
  const isOtherDay = due !== null && date !== due
  return [
    isConfirmed &&
      (isOtherDay
        ? message('movement_confirmed_otherwise', { day: writtenDay(due) })
        : message('movement_confirmed')),
    unconfirmed > 0 && message('movement_unconfirmed', { quantity: unconfirmed }),
  ]
}

function draftText(draft: Draft): string {
  const { standing, due, ageDays } = draft
  if (standing === 'in_proposal') return message('movement_draft_proposed')
  if (standing === 'contract') {
    const remaining = leftOfContract(draft)
    return due
      ? message('movement_contract_until', { remaining, day: writtenDay(due) })
      : message('movement_contract_left', { remaining })
  }
  const age = ageDays ?? '?'
  return message(`movement_draft_${standing === 'counted' ? 'counted' : 'ignored'}`, { age })
}

/** In units, or in money of one that is over that. */
function leftOfContract({ remaining, remainingValue, currency }: Draft): string | number {
  if (remaining > 0 || remainingValue === null) return remaining
  return [writtenPrice(Number(remainingValue)), currency].filter(Boolean).join(' ')
}

function lateness(kind: string, date: string | null, due: string | null, now: string) {
  if (kind !== 'receipt') return date && date < now ? message('movement_overdue') : null
  if (!due || !date || date === due) return null
  return message(date > due ? 'movement_late' : 'movement_early', { day: writtenDay(due) })
}

// The simulation of service and stock value, as the page for managers shows it.

interface Input {
  target?: number | string | null
  changeDays?: number | null
  budget?: number | string | null
  by?: string | null
}

async function readSimulation(req: Request<Input>) {
  const { target, budget, ...rest } = req.data
  const numbers = { target: numberOf(target), budget: numberOf(budget) }
  try {
    const found = await simulate({ ...rest, ...numbers })
    return await toAnswer(found, rest.by ?? 'abc', numbers.target)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, status, message: text } = error
    return req.reject({ code, status, message: text })
  }
}

const numberOf = (value: unknown) => (value == null ? null : Number(value))

async function toAnswer(found: Simulation, by: string, target: number | null) {
  const { budget, groups, today, rules, asked, curve, ...rest } = found
  return {
    ...rest,
    onHandValue: rest.onHandValue.toFixed(2),
    ...{ today: toPoint(today), rules: toPoint(rules), asked: asked && toPoint(asked) },
    curve: curve.map(toPoint),
    groups: await toGroups(groups, by, target),
    budgetTarget: budget?.target ?? null,
    budgetPoint: budget?.atTarget ? toPoint(budget.atTarget) : null,
    budgetSpread: budget?.spread ? toPoint(budget.spread) : null,
    maySet: cds.context!.user.is('Admin'),
  }
}

export const toPoint = ({
  target,
  stockValue,
  stockError,
  fillRate,
  stockoutChance,
  ...rest
}: Point) => ({
  ...{ target, stockValue: stockValue.toFixed(2), stockError: stockError.toFixed(2) },
  fillRate: fillRate === null ? null : fillRate.toFixed(4),
  stockoutChance: stockoutChance.toFixed(4),
  shortPerYear: rest.shortPerYear.toFixed(2),
})

async function toGroups(groups: SimulationGroup[], by: string, target: number | null) {
  const named = groups.map(({ code, source }) => ({
    ...{ source, location: by === 'location' ? code : null },
    ...{ supplier: by === 'supplier' ? code : null, locationName: null, supplierName: null },
  }))
  await addNames(named, new Set(['supplierName', 'locationName']))
  return groups.map(({ code, pairs, rules, curve, target: spent }, at) => {
    const { supplierName, locationName } = named[at]!
    const pointAt = (level: number | null) =>
      level === null ? undefined : curve.find((point) => point.target === level)
    const [asked, spread] = [pointAt(target), pointAt(spent)]
    return {
      ...{ code, pairs, target: spent, text: textOf(code, by, supplierName ?? locationName) },
      ...{ rules: toPoint(rules), curve: curve.map(toPoint) },
      ...{ asked: asked ? toPoint(asked) : null, spread: spread ? toPoint(spread) : null },
    }
  })
}

function textOf(code: string, by: string, name: string | null) {
  if (!code) return message('simulation_others')
  if (by === 'abc') return textOfClass(code)
  return name ? `${name} (${plainCode(code)})` : plainCode(code)
}

/** `A: 80 % of the value of demand`, by the shares that are set; of a pair without a class the group of all others. */
export function textOfClass(code: string): string {
  const { abcShareA: a, abcShareB: b } = settings()
  const share = { A: a, B: b - a, C: 1 - b }[code]
  if (share === undefined) return message('simulation_others')
  return message(`simulation_class_${code}`, { percent: written(Math.round(share * 1000) / 10) })
}

// Where a value of a calculation comes from, in words, and the address of the ordering rule that set it.

/** Who may open ordering rules. */
const READERS = ['Admin', 'Auditor']

const NAMED = /^(?:policy:)?(default|group|class|supplier|sku|location)(?: (.+?))?(?: at (.+))?$/s

/** @param from as the calculation has it: `erp`, `sku A-100 at L1` */
function ruleOf(from: string): { giver: string; address: string | null } {
  if (hasMessage(`rule_by_${from}`)) return { giver: message(`rule_by_${from}`), address: null }
  const [, level, code = '', location = ''] = NAMED.exec(from) ?? []
  if (!level) return { giver: from, address: null }
  const giver = location
    ? message(`rule_of_${level}_at`, { code, location })
    : message(`rule_of_${level}`, { code })
  const mayOpen = READERS.some((role) => cds.context?.user?.is(role))
  return { giver, address: mayOpen ? addressOf({ level, code, location }) : null }
}

function addressOf({ level, code, location }: Record<'level' | 'code' | 'location', string>) {
  const keys = {
    level: location
      ? `${level}+location`
      : level === 'class'
        ? `class_${code.toLowerCase()}`
        : level,
    skuGroup: level === 'group' ? code : '',
    supplier: level === 'supplier' ? code : '',
    sku: level === 'sku' ? code : '',
    location: level === 'location' ? code : location,
  }
  const key = Object.entries(keys).map(
    ([name, value]) => `${name}='${encodeURIComponent(value.replaceAll("'", "''"))}'`,
  )
  return `/apps/admin/index.html#/Policies(${key.join(',')})`
}
