import cds from '@sap/cds'
import { APPROVING_ROLES, assertAdmin } from '../authority/index.ts'
import { Refusal } from '../../base/errors.ts'
import { withData } from '../../base/cap/context.ts'
import { removeRate, setRate } from './entered-rates.ts'

export default class RatesService extends cds.ApplicationService {
  override async init() {
    this.before('*', assertAdmin)
    this.before('*', assertNoApprover)
    this.on('setRate', withData(setRate))
    this.on('removeRate', withData(removeRate))
    return super.init()
  }
}

/** A rate decides how far a limit reaches. @throws Refusal four_eyes_required */
function assertNoApprover() {
  if (!APPROVING_ROLES.some((role) => cds.context?.user?.is(role))) return
  throw new Refusal('four_eyes_required', 'Nobody changes what they themselves may approve.')
}
