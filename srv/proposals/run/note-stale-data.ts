// What is said of a source whose demand or stock is too old to order by.
import { settings } from '../../config.ts'
import { Sources } from '../../store/entities.ts'
import { setStaleSince } from '../../store/proposal-marks.ts'
import type { StaleData } from '../inputs/stale-data.ts'
import { updateSourceExceptions } from './source-exceptions.ts'

/** @param isWhole whether all pairs of the source were calculated */
export async function noteStaleData(source: number, stale: StaleData | null, isWhole: boolean) {
  const row = await SELECT.one.from(Sources).columns('account').where({ ID: source })
  const found = stale && {
    text: `exception_stale_${stale.record}`,
    ...{ account: row?.account ?? '', day: stale.since, days: settings().staleDataAfterDays },
  }
  const messages = found ? [{ kind: 'stale_data' as const, facts: found }] : []
  await updateSourceExceptions(source, 'stale_data', messages)
  if (isWhole) await setStaleSince(source, stale?.since ?? null)
}
