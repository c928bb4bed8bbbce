import cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { resealAll } from '../../store/secrets/vault.ts'

/** After a change of the key nothing stays under the previous one; a failure is told and stops nothing. */
export async function resealAtStart() {
  const LOG = cds.log('sources')
  try {
    const { changed, unreadable } = await runDetached('encryption key', resealAll)
    if (changed) LOG.info(`${changed} secrets are now under the present encryption key`)
    if (unreadable)
      LOG.warn(`${unreadable} secrets are under a key that is not given: list it as previous`)
  } catch (error) {
    LOG.error('secrets could not be put under the present key:', (error as Error).message)
  }
}
