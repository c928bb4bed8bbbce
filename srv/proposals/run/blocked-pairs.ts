import { among } from '../../store/in-chunks.ts'
import { insertRows } from '../../store/native/insert.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'

/** Why a pair cannot be proposed, in a code and a sentence. */
interface Obstacle {
  missing: string
  reason: string
  /** The source that leads the pair. */
  ledBy?: number | null
  /** What the sentence says, for another language. */
  facts?: string
}

export interface Blocked {
  pair: PairInputs
  missing: Obstacle[]
}

/** Lists which of these pairs cannot be proposed, in place of what was listed before. */
export async function replaceBlocked(series: number[], blocked: Blocked[]) {
  await DELETE.from('restock.BlockedPairs').where({
    series: among(series),
  })
  const entries = blocked.flatMap(({ pair, missing }) =>
    missing.map(({ missing: what, reason, ledBy = null, facts = null }) => ({
      series: pair.series,
      source_ID: pair.source,
      sku: pair.sku,
      location: pair.location,
      missing: what,
      reason,
      ledBy,
      facts,
    })),
  )
  await insertRows('restock.BlockedPairs', entries)
}
