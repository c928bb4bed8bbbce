import cds from '@sap/cds'
import { byText, OverrideBook, toEpochDay } from '../../../../engine/index.ts'
import { type ProposalInput, propose } from '../../../../engine/proposal/index.ts'
import {
  CurrentOpenOrders,
  LeadTimes,
  PriceBreaks,
  readAs,
  Receipts,
  Series,
} from '../../../base/database/entities.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { restrictionOf } from '../../authority/index.ts'
import { Refusal } from '../../../base/errors.ts'
import { valueOf } from '../decide/decisions.ts'
import { findProposal } from '../readers.ts'
import { readPairInputs, transferableQuantity } from '../terms/pair-inputs.ts'
import { readOtherSupply } from '../terms/supply.ts'
import { type Proposal, unitCostOf } from '../to-proposal.ts'

interface WhatIfQuery {
  ID: number
  /** Null for the present lead time. */
  leadTimeDays?: number | null
  targetQuantile?: number | null
  /** Percent by which demand would exceed the forecast, from today on, for `demandDays`. */
  demandPercent?: number | null
  demandDays?: number | null
}

/** What would be proposed; quantity 0 means no order. */
interface WhatIf {
  ID: number
  quantity: number
  value: string | null
  currency: string | null
  orderBy: string | null
  urgency: string | null
  leadTimeDays: number
  targetQuantile: number
  p50: number
  targetStock: number
  netRequirement: number
}

/**
 * Recalculates the pair with another lead time, service target or demand, from today's numbers.
 * @throws Refusal forecast_not_ready while the pair waits for its forecast, proposal_stale if it can no longer be calculated
 */
export async function whatIfOfProposal(query: WhatIfQuery): Promise<WhatIf> {
  const { ID } = query
  const proposal = await findProposal(ID)
  const pair = await readPairInputs(proposal.series, promotionOf(query))
  if (!pair?.isBought)
    throw new Refusal('proposal_stale', `The pair of prop_${ID} is not bought any more.`)
  if (!pair.input)
    throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const result = propose(changed(pair.input(incoming, outgoing), query))
  if (result.kind === 'blocked')
    throw new Refusal('proposal_stale', `Stock or lead time of prop_${ID} is no longer known.`)
  const { calculation } = result
  const quantity = result.kind === 'order' ? result.quantity : 0
  const unitCost = unitCostOf(pair.unitCost, calculation, quantity)
  const { leadTimeDays, targetQuantile, p50, targetStock, netRequirement } = calculation
  return {
    ...{ ID, quantity, leadTimeDays, targetQuantile, p50, targetStock, netRequirement },
    orderBy: result.kind === 'order' ? result.orderBy : null,
    urgency: result.kind === 'order' ? result.urgency : null,
    value: valueOf(unitCost, quantity),
    currency: pair.currency,
  }
}

function changed(input: ProposalInput, { leadTimeDays, targetQuantile }: WhatIfQuery) {
  return {
    ...input,
    planning: {
      ...input.planning,
      ...(leadTimeDays != null && { leadTimeDays, measuredLeadTime: null }),
    },
    policy: {
      ...input.policy,
      ...(targetQuantile != null && { target: { quantile: targetQuantile } }),
    },
  }
}

/** The assumed demand as an override of this pair alone, which takes precedence over existing overrides. */
function promotionOf({ demandPercent, demandDays }: WhatIfQuery) {
  if (!demandPercent) return undefined
  return (known: OverrideBook, { sku, location, asOf }: Subject) => {
    const from = toEpochDay(asOf)
    const to = from + (demandDays ?? 90) - 1
    const said = { ID: Number.MAX_SAFE_INTEGER, from, to, percent: demandPercent, units: null }
    return new OverrideBook([...known.all, { ...said, reason: '', sku, location, group: '' }])
  }
}

interface Subject {
  sku: string
  location: string
  asOf: string
}

/** Another way to meet the need: a location with surplus stock, or another supplier. */
export interface Alternative {
  kind: 'transfer' | 'supplier'
  /** The code of the location or supplier. */
  code: string
  /** The quantity that the location can give. */
  quantity: number | null
  /** The price at the proposed quantity, if the ERP has one. */
  unitCost: string | null
  /** The lead time as measured from receipts. */
  leadTimeDays: number | null
  receipts: number | null
  shareLate: number | null
  /** The day of the last receipt. */
  lastOn: string | null
}

const MOST_LOCATIONS = 50

/** Locations with surplus stock, and suppliers that have delivered the SKU or have a price for it. */
export async function alternativesTo(ID: number): Promise<Alternative[]> {
  const proposal = await findProposal(ID)
  const locations = restrictionOf(cds.context!.user)?.locations ?? null
  return [...(await transfersTo(proposal, locations)), ...(await otherSuppliersOf(proposal))]
}

const NOTHING_KNOWN = {
  ...{ unitCost: null, leadTimeDays: null, receipts: null, shareLate: null, lastOn: null },
}

async function transfersTo(proposal: Proposal, locations: string[] | null) {
  const { source, sku, location, series } = proposal
  const pair = await readPairInputs(series)
  if (!pair?.input) return []
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const receiver = pair.input(incoming, outgoing)
  const rows = await readAs<{ location: string }>(
    SELECT.from(Series)
      .columns('location')
      .where({ source_ID: source, sku, location: { '!=': location } })
      .orderBy('location')
      .limit(MOST_LOCATIONS),
  )
  const found: Alternative[] = []
  for (const { location: from } of rows) {
    if (locations && !locations.includes(from)) continue
    const quantity = await transferableQuantity({ ...proposal, fromLocation: from }, receiver)
    if (quantity > 0) found.push({ ...NOTHING_KNOWN, kind: 'transfer', code: from, quantity })
  }
  return found.sort((a, b) => b.quantity! - a.quantity!)
}

async function otherSuppliersOf({
  source,
  sku,
  location,
  supplier,
  quantity,
}: Proposal): Promise<Alternative[]> {
  const of = { source_ID: source, sku }
  const delivered = await readAs<{ supplier: string; lastOn: string }>(
    SELECT.from(Receipts)
      .columns('supplier', 'max(receivedOn) as lastOn')
      .where({ ...of, supplier: { '!=': null } })
      .groupBy('supplier'),
  )
  const ordered = await readAs<{ supplier: string }>(
    SELECT.distinct
      .from(CurrentOpenOrders)
      .columns('supplier')
      .where({ ...of, supplier: { '!=': null } }),
  )
  const prices = await readAs<Price>(
    SELECT.from(PriceBreaks)
      .columns('supplier', 'location', 'fromQuantity', 'unitCost')
      .where({ ...of, supplier: { '!=': '' } }),
  )
  const codes = new Set([...delivered, ...ordered, ...prices].map((row) => row.supplier))
  codes.delete(supplier ?? '')
  if (!codes.size) return []
  const times = await readAs<Time>(
    SELECT.from(LeadTimes)
      .columns('supplier', 'days', 'receipts', 'shareLate')
      .where({ ...of, supplier: { in: [...codes] } }),
  )
  return [...codes].sort(byText).map((code) => {
    const time = times.find((row) => row.supplier === code)
    const last = delivered.find((row) => row.supplier === code)
    return {
      ...{ kind: 'supplier', code, quantity: null },
      unitCost: priceOf(prices, code, location, Number(quantity)),
      leadTimeDays: toNumber(time?.days),
      receipts: toNumber(time?.receipts),
      shareLate: toNumber(time?.shareLate),
      lastOn: last?.lastOn ?? null,
    }
  })
}

interface Price {
  supplier: string
  location: string
  fromQuantity: unknown
  unitCost: unknown
}

interface Time {
  supplier: string
  days: unknown
  receipts: unknown
  shareLate: unknown
}

/** The price for the location, or else the one for all locations; a decimal string. */
function priceOf(prices: Price[], code: string, location: string, quantity: number) {
  const own = prices.filter(
    (price) =>
      price.supplier === code &&
      ['', location].includes(price.location) &&
      Number(price.fromQuantity) <= quantity,
  )
  const [best] = own.sort(
    (a, b) => byText(b.location, a.location) || Number(b.fromQuantity) - Number(a.fromQuantity),
  )
  return best ? String(best.unitCost) : null
}
