import cds from '@sap/cds'
import { checkSource } from './check-source.ts'
import { connectSource } from './connect-source.ts'
import { credentialsOf } from './tokens/credentials.ts'
import { changeSchedules, listSources, readSource } from './read-sources.ts'
import { removeSource } from './remove-source.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { resealAtStart } from './tokens/reseal.ts'
import { withData, withID } from '../services.ts'

export default class SourcesService extends cds.ApplicationService {
  /** A plain method, not an event, so that credentials never stand in an event's data. */
  readonly credentialsOf = credentialsOf

  override async init() {
    this.on('connect', withData(connectSource))
    this.on('renewConsent', withData(renewConsent))
    this.on('changeSchedules', withData(changeSchedules))
    this.on('check', withID(checkSource))
    this.on('list', withData(listSources))
    this.on('find', withID(readSource))
    this.on('remove', withID(removeSource))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
