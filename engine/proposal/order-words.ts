// How sentences about open orders call them.
import type { ExpectedReceipt } from './situation.ts'
import type { Days } from '../types.ts'

export const orderOf = <K extends string>(
  { document, date, quantity }: ExpectedReceipt,
  kind: K,
) => ({
  kind,
  document: document ?? null,
  quantity,
  from: date,
  to: null,
})

export const orderName = ({ document }: ExpectedReceipt) =>
  document ? `Order ${document}` : 'An order'

export const daysOf = (days: Days) => (days === 1 ? '1 day' : `${days} days`)
