import cds from '@sap/cds'
import { checkSource } from './check.ts'
import { connectSource } from './connect.ts'
import { credentialsOf } from './tokens/credentials.ts'
import { listSources, readSource } from './read.ts'
import { removeSource } from './remove.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { resealAtStart } from './tokens/reseal.ts'
import { changeSchedules } from './change-schedules.ts'

export default class SourcesService extends cds.ApplicationService {
  /** For whoever reads a source; never by way of an event, for it holds what opens the ERP. */
  readonly credentialsOf = credentialsOf

  override async init() {
    this.on('connect', ({ data }) => connectSource(data))
    this.on('renewConsent', ({ data }) => renewConsent(data))
    this.on('changeSchedules', ({ data }) => changeSchedules(data))
    this.on('check', ({ data }) => checkSource(data.ID))
    this.on('list', ({ data }) => listSources(data))
    this.on('find', ({ data }) => readSource(data.ID))
    this.on('remove', ({ data }) => removeSource(data.ID))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
