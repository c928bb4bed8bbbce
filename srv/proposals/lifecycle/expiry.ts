import cds from '@sap/cds'

const DAY_MS = 86_400_000

/** Until when a proposal of now stands. */
export const expiry = () =>
  new Date(Date.now() + cds.env.restock.proposalExpiryDays * DAY_MS).toISOString()
