import cds from '@sap/cds'
import { checkSource } from './check-source.ts'
import { listTypes } from './connection-input.ts'
import { connectSource } from './connect-source.ts'
import { giveUp, removeAbandoned } from './consent/renew-consent.ts'
import { changeOptions } from './options.ts'
import { credentialsOf } from './tokens/credentials.ts'
import { changePrecedence, changeSchedules, listSources, readSource } from './read-sources.ts'
import { removeSource } from './remove-source.ts'
import { testConnection } from './check-source.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { withData, withID } from '../../base/cap/context.ts'
import { runDetached } from '../../base/cap/context.ts'
import { resealAll } from '../../base/database/secrets/vault.ts'

export default class SourcesService extends cds.ApplicationService {
  /** A plain method, not an event, so that credentials never stand in an event's data. */
  readonly credentialsOf = credentialsOf

  override async init() {
    this.on('connect', withData(connectSource))
    this.on('renewConsent', withData(renewConsent))
    this.on('changeSchedules', withData(changeSchedules))
    this.on('changePrecedence', withData(changePrecedence))
    this.on('changeOptions', withData(changeOptions))
    this.on('check', withID(checkSource))
    this.on('testConnection', withData(testConnection))
    this.on('listTypes', withData(listTypes))
    this.on('removeAbandoned', removeAbandoned)
    this.on('giveUp', withID(giveUp))
    this.on('list', withData(listSources))
    this.on('find', withID(readSource))
    this.on('remove', withID(removeSource))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}

/** Encrypts all secrets with the current key after a change of the key. An error is logged and not thrown. */
async function resealAtStart() {
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
