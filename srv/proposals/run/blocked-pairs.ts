import type { Missing } from '../../../engine/proposal/index.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'

export interface Blocked {
  pair: PairInputs
  missing: Missing[]
}

/** Lists which of these pairs cannot be proposed, in place of what was listed before. */
export async function replaceBlocked(pairs: PairInputs[], blocked: Blocked[]) {
  await DELETE.from('restock.BlockedPairs').where({
    series: { in: pairs.map(({ series }) => series) },
  })
  const entries = blocked.flatMap(({ pair, missing }) =>
    missing.map(({ missing: what, reason }) => ({
      series: pair.series,
      source_ID: pair.source,
      sku: pair.sku,
      location: pair.location,
      missing: what,
      reason,
    })),
  )
  if (entries.length) await INSERT.into('restock.BlockedPairs').entries(entries)
}
