import type { Alternative } from '#cds-models/ProposalsService'
import { byText } from '../../../engine/index.ts'
import {
  CurrentOpenOrders,
  LeadTimes,
  PriceBreaks,
  readAs,
  Receipts,
  Series,
} from '../../store/entities.ts'
import { toNumber } from '../../store/numbers.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { readPairInputs } from '../inputs/pair-inputs.ts'
import { readOtherSupply } from '../inputs/supply.ts'
import { readProposal } from '../lifecycle/transition.ts'
import type { Proposal } from '../to-proposal.ts'
import { transferableQuantity } from '../transfers/transferable.ts'

export interface AlternativesQuery {
  ID: number
  /** The locations that the user sees; null for all. */
  locations: string[] | null
}

const MOST_LOCATIONS = 50

/** What else could meet the need: other locations with more than they need, and suppliers that have delivered the SKU or have a price for it. */
export async function alternativesTo({
  ID,
  locations,
}: AlternativesQuery): Promise<ServiceRow<Alternative>[]> {
  const proposal = await readProposal(ID)
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
  const found: ServiceRow<Alternative>[] = []
  for (const { location: from } of rows) {
    if (locations && !locations.includes(from)) continue
    const quantity = await transferableQuantity({ ...proposal, fromLocation: from }, receiver)
    if (quantity > 0) found.push({ ...NOTHING_KNOWN, kind: 'transfer', code: from, quantity })
  }
  return found.sort((a, b) => b.quantity! - a.quantity!)
}

async function otherSuppliersOf({ source, sku, location, supplier, quantity }: Proposal) {
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

/** Of the location before that of all; decimal string. */
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
