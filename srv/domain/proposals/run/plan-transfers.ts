import {
  isMaterial,
  type ProposalInput,
  type ProposalResult,
  propose,
  redistribute,
  type RedistributionPair,
} from '../../../../engine/proposal/index.ts'
import { settings } from '../../../base/settings/config.ts'
import { isKept } from '../decide/transition.ts'
import { ExistingTransfers, readApprovedSupply } from '../terms/supply.ts'
import { type PairInputs, type PlanningRow, toInputs } from '../terms/pair-inputs.ts'
import type { SourceInputs } from '../terms/source-inputs.ts'
import { type Pair, pairKey } from '../to-proposal.ts'

/** Units that one location could give to another. */
interface Transfer {
  from: string
  quantity: number
}

/** Proposes a transfer to the receiving pair: whole units, without a supplier or minimum order quantity. */
export function proposeTransfer(
  { planning, policy, rules, ...given }: ProposalInput,
  { from, quantity }: Transfer,
): ProposalResult {
  const { moq: _m, lot_size: _l, order_days: _o, price_breaks: _p, ...others } = rules ?? {}
  const input = {
    ...given,
    planning: { ...planning, supplier: null, moq: 1, lotSize: 1, priceBreaks: null },
    policy: { ...policy, supplierRequired: false },
    rules: others,
  }
  const whole = propose(input)
  const isCut = whole.kind === 'order' && whole.quantity > quantity
  const result = isCut
    ? propose({ ...input, planning: { ...input.planning, spare: quantity } })
    : whole
  if (result.kind !== 'order') return result
  const why = `Transfer ${result.quantity} from ${from}, which has more than it needs. ${result.rationale}`
  const { calculation } = result
  // What the other location cannot spare is bought.
  const exceptions = calculation.exceptions?.filter(
    ({ code }) => !isCut || code !== 'capped_below_need',
  )
  return {
    ...result,
    calculation: { ...calculation, ...(exceptions && { exceptions }) },
    rationale: why.slice(0, MOST_TEXT),
  }
}

const MOST_TEXT = 1000

const CHUNK = 500

/**
 * The transfers between the locations of a source, which are planned before anything is bought: new ones, and existing ones
 * that people have changed. Only the transfers of each pair are kept, so that little memory is needed.
 */
export class TransferPlan {
  readonly #existing: ExistingTransfers
  readonly #to = new Map<string, Transfer[]>()
  readonly #from = new Map<string, number>()

  private constructor(existing: ExistingTransfers) {
    this.#existing = existing
  }

  /** If redistribution is off, no new transfers are planned; existing ones that people have changed still count. */
  static async make(source: number, sourceInputs: SourceInputs): Promise<TransferPlan> {
    const plan = new TransferPlan(await ExistingTransfers.read(source))
    if (!settings().redistribution) return plan
    for await (const rows of bySku(source)) await plan.#planTransfers(rows, sourceInputs)
    return plan
  }

  /** New transfers to a pair, in their order. */
  transfersTo(pair: Pair): Transfer[] {
    return this.#to.get(pairKey(pair)) ?? []
  }

  /** Units that a pair receives by transfers that are not approved yet. */
  incoming(pair: Pair): number {
    const planned = this.transfersTo(pair).reduce((units, { quantity }) => units + quantity, 0)
    return this.kept(pair) + planned
  }

  /** The part of these units in transfers that a person has changed. */
  kept(pair: Pair): number {
    return this.#existing.incoming(pair, isKept)
  }

  /** Units that a pair gives away. */
  outgoing(pair: Pair): number {
    return this.#existing.outgoing(pair, isKept) + (this.#from.get(pairKey(pair)) ?? 0)
  }

  async #planTransfers(rows: PlanningRow[], sourceInputs: SourceInputs) {
    const pairs = rows.map((row) => toInputs(row, sourceInputs))
    const approved = await readApprovedSupply(pairs.map(({ series }) => series))
    const inputOf = (pair: PairInputs, more = 0) =>
      pair.input?.(
        (approved.get(pair.series) ?? 0) + this.kept(pair) + more,
        this.#existing.outgoing(pair, isKept),
      )
    for (const [sku, those] of Map.groupBy(pairs, ({ sku }) => sku)) {
      const ready = those.filter(({ input }) => input)
      if (ready.length < 2) continue
      const seen = ready.map((pair): RedistributionPair => seenBy(pair, inputOf(pair)!))
      for (const { from, to, quantity } of redistribute(seen)) {
        const pair = ready.find(({ location }) => location === to)!
        const before = this.transfersTo(pair).reduce(
          (units, transfer) => units + transfer.quantity,
          0,
        )
        if (this.#isWanted(pair, inputOf(pair, before)!, { from, quantity })) {
          this.#add(sku, to, { from, quantity })
        }
      }
    }
  }

  /** False if a person has changed this transfer, or rejected it with no material change since. */
  #isWanted(pair: PairInputs, input: ProposalInput, transfer: Transfer): boolean {
    if (this.#existing.has(pair, transfer.from, isKept)) return false
    const rejected = this.#existing.rejected(pair, transfer.from)
    if (!rejected) return true
    const now = proposeTransfer(input, transfer)
    const { quantity, lotSize } = rejected.calculation
    return (
      now.kind === 'order' &&
      isMaterial(
        { quantity, lotSize, urgency: rejected.urgency },
        { quantity: now.quantity, lotSize: 1, urgency: now.urgency },
      )
    )
  }

  #add(sku: string, to: string, transfer: Transfer) {
    const key = pairKey({ sku, location: to })
    this.#to.set(key, [...(this.#to.get(key) ?? []), transfer])
    const giver = pairKey({ sku, location: transfer.from })
    this.#from.set(giver, (this.#from.get(giver) ?? 0) + transfer.quantity)
  }
}

const seenBy = ({ location }: PairInputs, input: ProposalInput): RedistributionPair => ({
  location,
  input,
  result: propose(input),
})

/** The pairs of a source in chunks that never separate the locations of a SKU. */
async function* bySku(source: number): AsyncGenerator<PlanningRow[]> {
  for (let after = ''; ;) {
    const rows = (await SELECT.from('restock.PairPlanning')
      .where({ source_ID: source, sku: { '>': after } })
      .orderBy('sku', 'ID')
      .limit(CHUNK)) as PlanningRow[]
    if (!rows.length) return
    const last = rows.at(-1)!.sku
    const isWhole = rows.length < CHUNK
    const whole = isWhole ? rows : rows.filter(({ sku }) => sku !== last)
    if (whole.length) {
      yield whole
      after = String(whole.at(-1)!.sku)
    } else {
      // One SKU at so many locations that it fills the page.
      yield await SELECT.from('restock.PairPlanning')
        .where({ source_ID: source, sku: last })
        .orderBy('ID')
      after = String(last)
    }
  }
}
