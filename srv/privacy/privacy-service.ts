import cds, { type Request } from '@sap/cds'
import { withData } from '../services.ts'
import { erasePerson, type PersonQuery } from './erase.ts'
import { exportPerson } from './export.ts'

export default class PrivacyService extends cds.ApplicationService {
  override async init() {
    this.on(
      'report',
      withData(({ user }: PersonQuery) => exportPerson(user)),
    )
    this.on('erase', ({ data, user }: Request<PersonQuery>) => erasePerson(data.user, user.id))
    return super.init()
  }
}
