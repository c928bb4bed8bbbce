import cds from '@sap/cds'
import { withData } from '../with-data.ts'
import { assertAdmin } from './checks.ts'
import { createDelegation, endDelegation, listDelegations } from './delegations.ts'
import { clearRoleLimit, clearUserLimit, listLimits, setRoleLimit, setUserLimit } from './limits.ts'

export default class AccessService extends cds.ApplicationService {
  override async init() {
    this.before('*', assertAdmin)
    this.on('listLimits', () => listLimits())
    this.on('setUserLimit', withData(setUserLimit))
    this.on(
      'clearUserLimit',
      withData(({ user }: { user: string }) => clearUserLimit(user)),
    )
    this.on('setRoleLimit', withData(setRoleLimit))
    this.on(
      'clearRoleLimit',
      withData(({ role }: { role: string }) => clearRoleLimit(role)),
    )
    this.on('listDelegations', () => listDelegations())
    this.on('delegate', withData(createDelegation))
    this.on(
      'endDelegation',
      withData(({ ID }: { ID: string }) => endDelegation(ID)),
    )
    return super.init()
  }
}
