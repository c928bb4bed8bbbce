import cds from '@sap/cds'
import { checkSource } from './check.ts'
import { connectSource } from './connect.ts'
import { credentialsOf } from './tokens/credentials.ts'
import { listSources, readSource } from './read.ts'
import { removeSource } from './remove.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { resealAtStart } from './tokens/reseal.ts'
import { changeSchedules } from './change-schedules.ts'
import { withData } from '../with-data.ts'

export default class SourcesService extends cds.ApplicationService {
  /** For whoever reads a source; never by way of an event, for it holds what opens the ERP. */
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
