// What each level leads to for each pair. Pure arithmetic takes a millisecond a pair: others get their turn in between.
import { setImmediate as turn } from 'node:timers/promises'
import { type CycleOutcome, simulatePair } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import type { Rates } from '../../money/rates.ts'
import { inChunks } from '../../store/in-chunks.ts'
import { type PlanningRow, readInputs, toInputs } from '../inputs/pair-inputs.ts'
import { readSetting } from '../inputs/setting.ts'
import type { ChosenPair } from './choose-pairs.ts'

export interface PairOutcome extends ChosenPair {
  sku: string
  supplier: string | null
  location: string
  skuGroup: string | null
  /** Of a unit, in the account's currency. */
  unitCost: number
  onHand: number
  own: CycleOutcome
  at: CycleOutcome[]
}

export interface SimulatedPairs {
  outcomes: PairOutcome[]
  /** As many as those chosen stand for. */
  withoutCost: number
  withoutData: number
}

export interface Question {
  levels: readonly number[]
  changeDays: number
}

const CHUNK = 500
const TURN_MS = 20

export async function simulatePairs(
  chosen: ChosenPair[],
  question: Question,
  rates: Rates,
): Promise<SimulatedPairs> {
  const found: SimulatedPairs = { outcomes: [], withoutCost: 0, withoutData: 0 }
  for (const [source, pairs] of Map.groupBy(chosen, (pair) => pair.source)) {
    const setting = await readSetting(source)
    const bySeries = new Map(pairs.map((pair) => [pair.series, pair]))
    for (const chunk of inChunks([...bySeries.keys()].sort(byNumber), CHUNK)) {
      let began = Date.now()
      for (const row of await readInputs(chunk)) {
        const pair = bySeries.get(Number(row.ID))
        // Of neighbours a range is read.
        if (pair) add(found, pair, row, () => toInputs(row, setting).input?.(0) ?? null)
        if (Date.now() - began < TURN_MS) continue
        await turn()
        began = Date.now()
      }
    }
  }
  return found

  function add(
    sums: SimulatedPairs,
    pair: ChosenPair,
    row: PlanningRow,
    inputOf: () => Parameters<typeof simulatePair>[0] | null,
  ) {
    const unitCost = costOf(row, rates)
    if (unitCost === null) return void (sums.withoutCost += pair.weight)
    const input = inputOf()
    const simulated = input && simulatePair(input, question.levels, question.changeDays)
    if (!simulated) return void (sums.withoutData += pair.weight)
    const { supplier, skuGroup } = row
    sums.outcomes.push({
      ...{ ...pair, sku: String(row.sku), location: String(row.location), supplier, skuGroup },
      ...{ unitCost, onHand: Math.max(0, Number(row.onHand)) },
      ...{ own: simulated.own, at: simulated.at },
    })
  }
}

const byNumber = (a: number, b: number) => a - b

/** Null where it is not known, or no rate leads to the account's currency. */
function costOf({ unitCost, currency }: PlanningRow, rates: Rates): number | null {
  if (unitCost === null || currency === null) return null
  const rate = rates.between(currency, settings().currency)
  return rate && (Number(unitCost) * Number(rate.numerator)) / Number(rate.denominator)
}
