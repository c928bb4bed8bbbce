import { settings } from '../../config.ts'

const DAY_MS = 86_400_000

/** Until when a proposal of now stands. */
export const expiry = () =>
  new Date(Date.now() + settings().proposalExpiryDays * DAY_MS).toISOString()
