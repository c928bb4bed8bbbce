import { ForecastOverrideCases, readAs, Series } from '../entities.ts'

/** What an override was good for, over all of its pairs that are measured and that the user sees, in units. */
export interface ValueAdded {
  pairs: number
  demand: number
  /** Medians of the forecasts, and of the adjusted ones. */
  statistical: number
  adjusted: number
  /** How far each pair was off, added up. */
  errorBefore: number
  errorAfter: number
}

/**
 * By override; null where nothing is measured.
 * @param visible a condition on the series that the user sees; null for all
 */
export async function readValueAdded(IDs: readonly number[], visible: object | null) {
  const query = SELECT.from(ForecastOverrideCases)
    .columns(
      'override',
      'count(*) as pairs',
      ...SUMS.map((name) => `sum(${name}) as ${name}` as const),
    )
    .where({ override: { in: [...IDs] }, demand: { '!=': null } })
    .groupBy('override')
  if (visible)
    void query.where({ series: { in: SELECT.from(Series).columns('ID').where(visible) } })
  const rows = IDs.length ? await readAs<ValueAdded & { override: number }>(query) : []
  const found = new Map(
    rows.map(({ override, ...sums }) => {
      const numbers = Object.entries(sums).map(([name, sum]) => [name, Number(sum)])
      return [override, Object.fromEntries(numbers) as ValueAdded]
    }),
  )
  return (ID: number) => found.get(ID) ?? null
}

const SUMS = ['demand', 'statistical', 'adjusted', 'errorBefore', 'errorAfter'] as const
