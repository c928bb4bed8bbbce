import { near } from '../../store/in-chunks.ts'
import { selectRows } from '../../store/native/select.ts'
import { openStatuses } from '../../store/proposal-flow.ts'
import { isCounted, NOT_COUNTED } from '../lifecycle/missing-orders.ts'
import {
  type CalculationColumn,
  calculationColumnNames,
  type Proposal,
  type ProposalRow,
  toProposal,
} from '../to-proposal.ts'

const PROPOSALS = 'restock.Proposals'

/** What a run reads of each proposal; the rest it reads of those that may change. */
const COLUMNS = [
  ...(['ID', 'version', 'series', 'kind', 'status', 'touched', 'flag', 'decidedAt'] as const),
  ...(['quantity', 'urgency', 'orderBy', 'unitCost', 'openKey'] as const),
]
export type KnownProposal = Pick<Proposal, (typeof COLUMNS)[number]> &
  Pick<ProposalRow, CalculationColumn>

/** The proposals that a newer calculation of a pair has to take into account. */
export interface PairProposals {
  /** Open ones and rejections, transfers to the pair among them. */
  known: KnownProposal[]
  /** Units approved, transfers included, and not yet seen as an order of the ERP. */
  approved: number
  /** Approved, but no supply any more, since no order of the ERP was found in time. */
  unmatched: KnownProposal[]
  /** Day of the data that the pair's last purchase was made from; undefined where it had none. */
  lastOrder: string | undefined
}

const NOTHING: PairProposals = { known: [], approved: 0, unmatched: [], lastOrder: undefined }

/** Reads the open, approved and rejected proposals of these pairs, by series. */
export async function readPairProposals(
  series: number[],
): Promise<(series: number) => PairProposals> {
  // An expression, so that SQLite finds them by series: nearly all proposals share a status, and its index comes first else.
  const rows = await selectRows<KnownProposal>(
    PROPOSALS,
    SELECT.from(PROPOSALS)
      .columns(...COLUMNS, ...calculationColumnNames())
      .where({ series: near(series), lapsed: null })
      .where`status || '' in ${[...openStatuses(), 'rejected', 'approved']}`.orderBy('ID'),
  )
  const byPair = new Map<number, PairProposals>()
  for (const row of rows) {
    const of = byPair.get(Number(row.series)) ?? { ...NOTHING, known: [], unmatched: [] }
    byPair.set(Number(row.series), of)
    if (isCounted(row)) of.approved += Number(row.quantity)
    else if (row.status === 'approved') of.unmatched.push(row)
    else of.known.push(row)
  }
  const lastOrders = await readLastOrders(series)
  return (of) => ({ ...(byPair.get(of) ?? NOTHING), lastOrder: lastOrders.get(of) })
}

/** The proposals of a pair that a calculation may change. */
export interface ChangeableProposals {
  open: Proposal[]
  /** Open transfers to the pair. */
  transfers: Proposal[]
  lastRejected: Proposal | undefined
}

export const NO_PROPOSALS: ChangeableProposals = {
  open: [],
  transfers: [],
  lastRejected: undefined,
}

/** Reads proposals whole, by series. One that was decided since counts as it was, and its version keeps it from being written. */
export async function readChangeable(
  known: KnownProposal[],
): Promise<(series: number) => ChangeableProposals> {
  if (!known.length) return () => NO_PROPOSALS
  const before = new Map(known.map((row) => [row.ID, row]))
  const rows = await selectRows<ProposalRow>(
    PROPOSALS,
    SELECT.from(PROPOSALS)
      .where({ ID: { in: [...before.keys()] } })
      .orderBy('ID'),
  )
  const byPair = new Map<number, ChangeableProposals>()
  for (const row of rows) {
    const { version, status, touched, openKey } = before.get(row.ID)!
    const proposal = toProposal({ ...row, version, status, touched, openKey: openKey ?? null })
    const of = byPair.get(proposal.series) ?? { ...NO_PROPOSALS, open: [], transfers: [] }
    byPair.set(proposal.series, of)
    const isTransfer = proposal.kind === 'transfer'
    if (proposal.status === 'rejected') of.lastRejected = isTransfer ? of.lastRejected : proposal
    else if (isTransfer) of.transfers.push(proposal)
    else of.open.push(proposal)
  }
  return (of) => byPair.get(of) ?? NO_PROPOSALS
}

async function readLastOrders(series: number[]): Promise<Map<number, string>> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('series', 'max(asOf) as asOf')
    .where({ series: near(series), kind: 'purchase', flag: { '!=': NOT_COUNTED } })
    .where`status || '' in ${['approved', 'ordered']}`.groupBy('series')) as {
    series: number
    asOf: string | null
  }[]
  return new Map(rows.flatMap(({ series, asOf }) => (asOf ? [[series, asOf]] : [])))
}
