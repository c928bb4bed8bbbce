import { settings } from '../../config.ts'
import { DAY_MS } from '../../store/today.ts'

/** When a proposal that is made now expires. */
export const expiry = () =>
  new Date(Date.now() + settings().proposalExpiryDays * DAY_MS).toISOString()
