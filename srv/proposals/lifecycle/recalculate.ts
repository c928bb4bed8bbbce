import { setTimeout } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { initialStatus } from '../../store/proposal-flow.ts'
import { recomputeProposals } from '../policy/recompute.ts'
import { readProposal } from './transition.ts'

/** How long whoever was refused waits for the new numbers; where all of a source's must be made, they come later. */
const PATIENCE_MS = 2_000

let isAwaited = false

/**
 * Calculates a pending proposal anew from what is known now, also where a person has edited it: its numbers have been
 * refused. One that is not needed any more is superseded. Of many at once only the first is waited for.
 */
export const recalculateProposal = (ID: number) =>
  runDetached(`prop_${ID}`, async () => {
    const { sku, location, status, version } = await readProposal(ID)
    if (status !== initialStatus()) return
    await UPDATE.entity('restock.Proposals').set({ touched: false }).where({ ID, status, version })
    const recomputed = recomputeProposals({ sku, location, supplier: '', skuGroup: '' })
    recomputed.catch((error: unknown) =>
      cds.log('proposals').warn(`prop_${ID} could not be calculated anew:`, error),
    )
    if (isAwaited) return
    isAwaited = true
    try {
      await Promise.race([recomputed, setTimeout(PATIENCE_MS, undefined, { ref: false })])
    } finally {
      isAwaited = false
    }
  })
