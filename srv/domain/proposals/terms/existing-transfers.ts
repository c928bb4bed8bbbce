import { isCounted } from './erp-orders.ts'
import { isOpen, openStatuses } from '../stored/flow.ts'
import { type Pair, pairKey, type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

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
