import cds from '@sap/cds'
import {
  isMaterial,
  type ProposalInput,
  propose,
  redistribute,
  type RedistributionPair,
} from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { type PairInputs, type PlanningRow, toInputs } from '../inputs/pair-inputs.ts'
import type { Setting } from '../inputs/setting.ts'
import { isKept } from '../lifecycle/states.ts'
import { approvedSupply } from '../inputs/supply.ts'
import { type Place, placeOf, Transfers } from './existing.ts'
import { type Move, proposeMove } from './move.ts'

const { SELECT } = cds.ql

const CHUNK = 500

/**
 * What is moved between the locations of a source before anything is bought: what people keep, and
 * what is proposed anew. Of each pair its moves are kept and nothing more.
 */
export class TransferPlan {
  readonly #existing: Transfers
  readonly #to = new Map<string, Move[]>()
  readonly #from = new Map<string, number>()

  private constructor(existing: Transfers) {
    this.#existing = existing
  }

  /** Nothing new is moved where redistribution is off; what people have touched counts all the same. */
  static async make(source: number, setting: Setting): Promise<TransferPlan> {
    const plan = new TransferPlan(await Transfers.read(source))
    if (!settings().redistribution) return plan
    for await (const rows of bySku(source)) await plan.#move(rows, setting)
    return plan
  }

  /** New moves to a pair, in their order. */
  movesTo(pair: Place): Move[] {
    return this.#to.get(placeOf(pair)) ?? []
  }

  /** Units that come to a pair by moves that are not approved yet. */
  incoming(pair: Place): number {
    const planned = this.movesTo(pair).reduce((units, { quantity }) => units + quantity, 0)
    return this.kept(pair) + planned
  }

  /** Those of them that are not planned anew. */
  kept(pair: Place): number {
    return this.#existing.incoming(pair, isKept)
  }

  /** Units that a pair gives. */
  outgoing(pair: Place): number {
    return this.#existing.outgoing(pair, isKept) + (this.#from.get(placeOf(pair)) ?? 0)
  }

  async #move(rows: PlanningRow[], setting: Setting) {
    const pairs = rows.map((row) => toInputs(row, setting))
    const approved = await approvedSupply(pairs.map(({ series }) => series))
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
        const before = this.movesTo(pair).reduce((units, move) => units + move.quantity, 0)
        if (this.#isWanted(pair, inputOf(pair, before)!, { from, quantity })) {
          this.#add(sku, to, { from, quantity })
        }
      }
    }
  }

  /** Not beside one that a person keeps, and not what somebody has rejected and has not moved since. */
  #isWanted(pair: PairInputs, input: ProposalInput, move: Move): boolean {
    if (this.#existing.has(pair, move.from, isKept)) return false
    const rejected = this.#existing.rejected(pair, move.from)
    if (!rejected) return true
    const now = proposeMove(input, move)
    const { quantity, lotSize } = rejected.calculation
    return (
      now.kind === 'order' &&
      isMaterial(
        { quantity, lotSize, urgency: rejected.urgency },
        { quantity: now.quantity, lotSize: 1, urgency: now.urgency },
      )
    )
  }

  #add(sku: string, to: string, move: Move) {
    const key = placeOf({ sku, location: to })
    this.#to.set(key, [...(this.#to.get(key) ?? []), move])
    const giver = placeOf({ sku, location: move.from })
    this.#from.set(giver, (this.#from.get(giver) ?? 0) + move.quantity)
  }
}

const seenBy = ({ location }: PairInputs, input: ProposalInput): RedistributionPair => ({
  location,
  input,
  result: propose(input),
})

/** Pairs of a source in chunks, those of a SKU together. */
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
      // One SKU at very many locations.
      yield await SELECT.from('restock.PairPlanning')
        .where({ source_ID: source, sku: last })
        .orderBy('ID')
      after = String(last)
    }
  }
}
