import cds from '@sap/cds'
import { assertAdmin } from './checks.ts'
import { delegate, endDelegation, listDelegations } from './delegations.ts'
import { clearRoleLimit, clearUserLimit, listLimits, setRoleLimit, setUserLimit } from './limits.ts'

export default class AccessService extends cds.ApplicationService {
  override async init() {
    this.before('*', assertAdmin)
    this.on('listLimits', () => listLimits())
    this.on('setUserLimit', ({ data }) => setUserLimit(data))
    this.on('clearUserLimit', ({ data }) => clearUserLimit(data.user))
    this.on('setRoleLimit', ({ data }) => setRoleLimit(data))
    this.on('clearRoleLimit', ({ data }) => clearRoleLimit(data.role))
    this.on('listDelegations', () => listDelegations())
    this.on('delegate', ({ data }) => delegate(data))
    this.on('endDelegation', ({ data }) => endDelegation(data.ID))
    return super.init()
  }
}
