import { byText } from '../../../../engine/index.ts'
import {
  type CustomerOrder,
  type ExpiringStock,
  withoutNoise,
} from '../../../../engine/proposal/index.ts'
import {
  CurrentBatches,
  CurrentCustomerOrders,
  CurrentReservations,
  Proposals,
  readAs,
  Series,
} from '../../../base/database/entities.ts'
import { isOpen, openStatuses } from '../stored/flow.ts'
import {
  type Pair,
  pairKey,
  type Proposal,
  type ProposalRow,
  toProposal,
  whereOfPairs,
} from '../to-proposal.ts'
import { isCounted, NOT_COUNTED } from './erp-orders.ts'

/** The condition also holds for null, which in CQL differs from every value. */
const COUNTED = { '!=': NOT_COUNTED }

/** Approved units for which the ERP has no order yet, by series. */
export async function readApprovedSupply(series: number[]): Promise<Map<number, number>> {
  const rows = await readAs<{ series: number; units: unknown }>(
    SELECT.from(Proposals)
      .columns('series', 'sum(quantity) as units')
      .where({ series: { in: series }, status: 'approved', flag: COUNTED })
      .groupBy('series'),
  )
  return new Map(rows.map(({ series, units }) => [series, Number(units)]))
}

/** Units that other proposals bring to a pair, and units that they take from it. */
interface OtherSupply {
  incoming: number
  outgoing: number
}

/** The query has no condition on the status, so that the index on series is used. */
async function readTransfersAndApproved({ source, sku, series }: Proposal): Promise<Proposal[]> {
  const ofSku = SELECT.from(Series).columns('ID').where({ source_ID: source, sku })
  const rows = await readAs<ProposalRow>(
    SELECT.from(Proposals)
      .where({
        series: { in: ofSku },
        and: { kind: 'transfer', or: { series, status: 'approved' } },
      } as never)
      .orderBy('ID'),
  )
  return rows.map(toProposal)
}

/** Reads the supply of a proposal's pair from proposals other than this one. */
export async function readOtherSupply(proposal: Proposal): Promise<OtherSupply> {
  const proposals = await readTransfersAndApproved(proposal)
  const transfers = new ExistingTransfers(proposals.filter(({ kind }) => kind === 'transfer'))
  const approved = proposals
    .filter((each) => each.series === proposal.series && isCounted(each))
    .reduce((units, { quantity }) => units + quantity, 0)
  const own = isCounted(proposal) ? proposal.quantity : 0
  const isOther = ({ ID }: Proposal) => ID !== proposal.ID
  return {
    incoming: approved - own + transfers.incoming(proposal, isOther),
    outgoing: transfers.outgoing(proposal, isOther),
  }
}

/** The open demand of pairs by day: not delivered and not withdrawn yet. */
export interface OrdersOfPairs {
  of(pair: Pair): readonly CustomerOrder[]
}

interface OrderRow extends Pair {
  due: string | null
  quantity: number
}

const NO_ORDERS: readonly CustomerOrder[] = []

/** Reads the customer orders of a source, or of some of its pairs, once for all of them. */
export const readCustomerOrders = (
  source: number,
  pairs?: readonly Pair[],
): Promise<OrdersOfPairs> => readOrders(CurrentCustomerOrders, source, pairs)

/** Reads the reservations of production, projects and cost centres. */
export const readReservations = (source: number, pairs?: readonly Pair[]): Promise<OrdersOfPairs> =>
  readOrders(CurrentReservations, source, pairs)

async function readOrders(
  entity: typeof CurrentCustomerOrders | typeof CurrentReservations,
  source: number,
  pairs?: readonly Pair[],
): Promise<OrdersOfPairs> {
  const rows = await readAs<OrderRow>(
    SELECT.from(entity)
      .columns('sku', 'location', 'due', 'sum(quantity) as quantity')
      .where({ source_ID: source, ...whereOfPairs(pairs) })
      .groupBy('sku', 'location', 'due'),
  )
  const byPair = Map.groupBy(rows, pairKey)
  return { of: (pair) => byPair.get(pairKey(pair))?.map(toOrder).sort(byDay) ?? NO_ORDERS }
}

/** Rounded, because databases add up fractions in any order. */
const toOrder = ({ due, quantity }: OrderRow): CustomerOrder => ({
  date: due,
  quantity: withoutNoise(Number(quantity)),
})

const byDay = (a: CustomerOrder, b: CustomerOrder) => byText(a.date ?? '', b.date ?? '')

/** Stock that expires, by pair. */
export interface BatchesOfPairs {
  of(pair: Pair): readonly ExpiringStock[]
}

type BatchRow = Pair & { batch: string; expiresOn: string; quantity: number }

/** Reads the batches of a source, or of some of its pairs, once for all of them. */
export async function readBatches(
  source: number,
  pairs?: readonly Pair[],
): Promise<BatchesOfPairs> {
  const rows = await readAs<BatchRow>(
    SELECT.from(CurrentBatches)
      .columns('sku', 'location', 'batch', 'expiresOn', 'quantity')
      .where({ source_ID: source, ...whereOfPairs(pairs) }),
  )
  const byPair = Map.groupBy(rows, pairKey)
  return { of: (pair) => byPair.get(pairKey(pair))?.map(toBatch).sort(byExpiry) ?? [] }
}

const toBatch = ({ batch, expiresOn, quantity }: BatchRow): ExpiringStock => ({
  ...{ batch, expiresOn, quantity: Number(quantity) },
})

/** Sorted, so that they are always added up in the same order. */
const byExpiry = (a: ExpiringStock, b: ExpiringStock) =>
  byText(a.expiresOn, b.expiresOn) || byText(a.batch!, b.batch!)

/**
 * Approved units for which the ERP has no order yet, of pairs that this source leads, if they were approved while another
 * source led them.
 * @param pairs limits the result; absent for all
 */
export async function readApprovedElsewhere(
  source: number,
  pairs?: readonly Pair[],
): Promise<(pair: Pair) => number> {
  const rows = await readAs<Pair & { units: unknown }>(
    SELECT.from(Proposals)
      .columns('sku', 'location', 'sum(quantity) as units')
      .where({
        ...{ status: 'approved', flag: COUNTED, 'toSeries.ledBy': source },
        ...whereOfPairs(pairs),
      })
      .groupBy('sku', 'location'),
  )
  const units = new Map(rows.map((row) => [pairKey(row), Number(row.units)]))
  return (pair) => units.get(pairKey(pair)) ?? 0
}

// Transfers that are proposed or approved already.

export class ExistingTransfers {
  readonly #to = new Map<string, Proposal[]>()
  readonly #from = new Map<string, Proposal[]>()
  readonly #rejected = new Map<string, Proposal>()

  /** Keeps only proposals that are open, approved or rejected. */
  constructor(proposals: Proposal[]) {
    for (const proposal of proposals) {
      if (!counting().includes(proposal.status)) continue
      const { sku, location, fromLocation } = proposal
      if (proposal.status === 'rejected') {
        this.#rejected.set(routeOf(proposal, fromLocation!), proposal)
        continue
      }
      add(this.#to, pairKey({ sku, location }), proposal)
      add(this.#from, pairKey({ sku, location: fromLocation! }), proposal)
    }
  }

  static async read(source: number): Promise<ExistingTransfers> {
    const rows = (await SELECT.from('restock.Proposals')
      .where({ kind: 'transfer', source_ID: source, status: { in: counting() } })
      .orderBy('ID')) as ProposalRow[]
    return new ExistingTransfers(rows.map(toProposal))
  }

  /** Units of open transfers to a pair. Approved ones are counted with its other approvals. */
  incoming(pair: Pair, counts: (proposal: Proposal) => boolean): number {
    return sum(this.#to.get(pairKey(pair)), (each) => isOpen(each.status) && counts(each))
  }

  /** Units of open and approved transfers from a pair. */
  outgoing(pair: Pair, counts: (proposal: Proposal) => boolean): number {
    return sum(this.#from.get(pairKey(pair)), (each) => isCounted(each) || counts(each))
  }

  /** Whether there is an open transfer between these locations that counts. */
  has(pair: Pair, from: string, counts: (proposal: Proposal) => boolean): boolean {
    const all = this.#to.get(pairKey(pair)) ?? []
    return all.some((each) => each.fromLocation === from && isOpen(each.status) && counts(each))
  }

  /** The last rejected transfer between these locations. */
  rejected(pair: Pair, from: string): Proposal | undefined {
    return this.#rejected.get(routeOf(pair, from))
  }
}

const counting = (): string[] => [...openStatuses(), 'approved', 'rejected']

const routeOf = (pair: Pair, from: string) => `${pairKey(pair)}\u0000${from}`

function add(to: Map<string, Proposal[]>, key: string, proposal: Proposal) {
  const known = to.get(key)
  if (known) known.push(proposal)
  else to.set(key, [proposal])
}

const sum = (proposals: Proposal[] = [], counts: (proposal: Proposal) => boolean) =>
  proposals.reduce((units, each) => units + (counts(each) ? each.quantity : 0), 0)
