import cds, { type Request } from '@sap/cds'
import { withData, withID } from '../../base/cap/context.ts'
import { assertAdmin } from '../../base/roles.ts'
import { createDelegation, endDelegation } from './delegations.ts'
import { lapseDelegations, removePerson } from './leaving.ts'
import { clearRoleLimit, clearUserLimit, setRoleLimit, setUserLimit } from './limits.ts'

export default class AccessService extends cds.ApplicationService {
  override async init() {
    this.before('*', ({ event }) => (event === 'lapse' ? undefined : assertAdmin()))
    this.on('setUserLimit', withData(setUserLimit))
    this.on('clearUserLimit', withData(clearUserLimit))
    this.on('setRoleLimit', withData(setRoleLimit))
    this.on('clearRoleLimit', withData(clearRoleLimit))
    this.on('delegate', withData(createDelegation))
    this.on('endDelegation', withID(endDelegation))
    this.on('removePerson', ({ data }: Request<{ user: string }>) => removePerson(data.user))
    this.on('lapse', lapseDelegations)
    return super.init()
  }
}
