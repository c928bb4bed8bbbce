import cds from '@sap/cds'
import type { RunCoordinator } from 'node-cron'

const { DELETE, INSERT, SELECT } = cds.ql

const KEPT_MS = 86_400_000

/** Of several instances the one that inserts the run's key first carries it out. */
export const coordinator: RunCoordinator = {
  async shouldRun(key) {
    const claimedAt = new Date()
    const old = new Date(claimedAt.getTime() - KEPT_MS).toISOString()
    const name = key.slice(0, 200)
    try {
      await cds.tx(async () => {
        await DELETE.from('restock.ScheduledRuns').where({ claimedAt: { '<': old } })
        await INSERT.into('restock.ScheduledRuns').entries({
          name,
          claimedAt: claimedAt.toISOString(),
        })
      })
      return true
    } catch (error) {
      if (await SELECT.one.from('restock.ScheduledRuns').where({ name })) return false
      throw error
    }
  },
}
