import cds from '@sap/cds'
import { Fatal } from '../../../adapters/errors.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { publishEvents } from '../../store/events/publish.ts'
import type { Problem } from '../problems.ts'
import { Sources } from '../../store/entities.ts'

/**
 * Stores that the consent has ended, and publishes it. It must not be called inside a transaction.
 * @returns the error for the adapter
 */
export async function endConsent(source: number, problem: Problem): Promise<Fatal> {
  await cds.tx(async () => {
    const changed: unknown = await UPDATE.entity(Sources)
      .set({ status: 'reconsent_required', problem: JSON.stringify(problem) })
      .where({ ID: source, status: { in: ['connected', 'failing'] } })
    if (!changed) return
    await writeAuditLog('source.reconsent_required', `src_${source}`, problem.code)
    const data = { id: `src_${source}`, reason: problem.code }
    await publishEvents([{ type: 'source.reconsent_required', data }])
  })
  return new Fatal('reconsent_required', problem.message)
}
