import cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { resealAll } from '../../store/secrets/vault.ts'

/** Encrypts all secrets with the current key after a change of the key. An error is logged and not thrown. */
export async function resealAtStart() {
  const LOG = cds.log('sources')
  try {
    const { changed, unreadable } = await runDetached('encryption key', resealAll)
    if (changed) LOG.info(`${changed} secrets are now encrypted with the current key`)
    if (unreadable)
      LOG.warn(
        `${unreadable} secrets are encrypted with an unknown key: add it to RESTOCK_ENCRYPTION_KEY_PREVIOUS`,
      )
  } catch (error) {
    LOG.error('secrets could not be encrypted with the current key:', (error as Error).message)
  }
}
