import cds from '@sap/cds'
import { checkSource } from './check-source.ts'
import { connectSource } from './connect-source.ts'
import { credentialsOf } from './tokens/credentials.ts'
import { listSources, readSource } from './read-sources.ts'
import { removeSource } from './remove-source.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { resealAtStart } from './tokens/reseal.ts'
import { changeSchedules } from './change-schedules.ts'
import { withData } from '../with-data.ts'

export default class SourcesService extends cds.ApplicationService {
  /** A plain method, not an event, so that credentials never stand in an event's data. */
  readonly credentialsOf = credentialsOf

  override async init() {
    this.on('connect', withData(connectSource))
    this.on('renewConsent', withData(renewConsent))
    this.on('changeSchedules', withData(changeSchedules))
    this.on(
      'check',
      withData(({ ID }: { ID: number }) => checkSource(ID)),
    )
    this.on('list', withData(listSources))
    this.on(
      'find',
      withData(({ ID }: { ID: number }) => readSource(ID)),
    )
    this.on(
      'remove',
      withData(({ ID }: { ID: number }) => removeSource(ID)),
    )
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
