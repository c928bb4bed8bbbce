import cds from '@sap/cds'
import { withData, withID } from '../services.ts'
import { assertAdmin } from './checks.ts'
import { createDelegation, endDelegation } from './delegations.ts'
import { clearRoleLimit, clearUserLimit, setRoleLimit, setUserLimit } from './limits.ts'

export default class AccessService extends cds.ApplicationService {
  override async init() {
    this.before('*', assertAdmin)
    this.on('setUserLimit', withData(setUserLimit))
    this.on('clearUserLimit', withData(clearUserLimit))
    this.on('setRoleLimit', withData(setRoleLimit))
    this.on('clearRoleLimit', withData(clearRoleLimit))
    this.on('delegate', withData(createDelegation))
    this.on('endDelegation', withID(endDelegation))
    return super.init()
  }
}
