import cds, { type Request } from '@sap/cds'
import { withData } from '../../base/cap/context.ts'
import { erasePerson, type PersonQuery } from './personal-data.ts'
import { exportPerson } from './personal-data.ts'

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
