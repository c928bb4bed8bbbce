import type { StreamCheck } from '../../adapter.ts'
import type { StreamNote } from './unread-files.ts'

/** What the lack of a file means, by what it would hold. */
const WITHOUT: Partial<Record<StreamNote['record'], string>> = {
  stock:
    'There is no stock.csv: forecasts are made, but every proposal is blocked, because nobody knows what is on hand.',
  planning:
    'There is no planning.csv: forecasts are made, but every proposal is blocked that no rule gives a lead time.',
  openOrders:
    'There is no open_orders.csv: what is on order already is not known, and would be proposed again.',
}

/** What a folder lacks to propose by, but where a file of another name may be it. */
export function missingFiles(checks: StreamCheck[], unread: StreamNote[]): StreamNote[] {
  const named = new Set(unread.map(({ record }) => record))
  return Object.entries(WITHOUT).flatMap(([name, note]) => {
    const record = name as StreamNote['record']
    const isAbsent = checks.some((each) => each.record === record && each.status === 'absent')
    return isAbsent && !named.has(record) ? [{ record, note }] : []
  })
}
