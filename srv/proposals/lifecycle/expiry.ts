import { settings } from '../../config.ts'

const DAY_MS = 86_400_000

/** When a proposal that is made now expires. */
export const expiry = () =>
  new Date(Date.now() + settings().proposalExpiryDays * DAY_MS).toISOString()
