import { Sources } from '../../store/entities.ts'
import { readStaleData } from '../inputs/stale-data.ts'
import { runProposals } from '../run/run.ts'

/**
 * Calculates the proposals of sources whose data have become too old since the last run: a source that cannot be read
 * has no syncs that would.
 */
export async function calculateStaleSources() {
  const rows = await SELECT.from(Sources)
    .columns('ID', 'staleSince')
    .where({ proposedOn: { '!=': null } })
  for (const { ID, staleSince } of rows) {
    const stale = await readStaleData(ID)
    if (stale && stale.since !== staleSince) await runProposals({ source: ID, sync: null })
  }
}
