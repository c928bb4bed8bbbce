// What a decision did, in a sentence or two: `3 orders approved, 1,234.00 EUR.`
import type { Request } from '@sap/cds'
import { Proposals, readAs } from '../store/entities.ts'
import { statusAfter } from '../store/proposal-flow.ts'
import { message, writtenAmount } from '../texts.ts'
import type { Decision } from './decide.ts'

interface Sum {
  status: string
  currency: string | null
  count: number | string
  total: number | string | null
}

/** @param all that were to be decided, the refused ones included */
export async function tellDecided(
  req: Request,
  { event }: Decision,
  decided: number[],
  all = decided.length,
) {
  const sums = event === 'approve' && decided.length ? await readSums(decided) : []
  const second = statusAfter('requestSecondApproval')
  const waiting = sums.filter(({ status }) => status === second)
  const done = sums.filter(({ status }) => status !== second)
  const count = decided.length - countOf(waiting)
  const texts: string[] = []
  if (count || !waiting.length) {
    const orders = message(keyOf(count, all), { count, all })
    texts.push(message(`decided_${event}`, { orders, sum: sumText(done) }))
  }
  if (waiting.length) {
    const orders = message(keyOf(countOf(waiting), all), { count: countOf(waiting), all })
    texts.push(message('decided_second', { orders, sum: sumText(waiting) }))
  }
  req.notify({ code: 'decided', message: texts.join(' ') } as never)
}

const keyOf = (count: number, all: number) =>
  count < all ? 'orders_part' : count === 1 ? 'orders_one' : 'orders'

const countOf = (sums: Sum[]) => sums.reduce((all, { count }) => all + Number(count), 0)

/** In each currency; empty for none. */
const sumText = (sums: Sum[]) =>
  sums.length
    ? `, ${sums
        .map(({ currency, total }) => `${writtenAmount(Number(total))} ${currency ?? ''}`.trim())
        .join(' + ')}`
    : ''

const readSums = (IDs: number[]) =>
  readAs<Sum>(
    SELECT.from(Proposals)
      .columns('status', 'currency', 'count(*) as count', 'sum(value) as total')
      .where({ ID: { in: IDs } })
      .groupBy('status', 'currency'),
  )
