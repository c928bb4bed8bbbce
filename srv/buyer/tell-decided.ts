// What a decision did, in one sentence: `3 orders approved, 1,234.00 EUR.`
import type { Request } from '@sap/cds'
import { Proposals, readAs } from '../store/entities.ts'
import { message, writtenAmount } from '../texts.ts'
import type { Decision } from './decide.ts'

interface Sum {
  currency: string | null
  total: number | string | null
}

/** @param all that were to be decided, the refused ones included */
export async function tellDecided(
  req: Request,
  { event }: Decision,
  decided: number[],
  all = decided.length,
) {
  const count = decided.length
  const key = count < all ? 'orders_part' : count === 1 ? 'orders_one' : 'orders'
  const sum = event === 'approve' && count ? `, ${await sumOf(decided)}` : ''
  const text = message(`decided_${event}`, { orders: message(key, { count, all }), sum })
  req.notify({ code: 'decided', message: text } as never)
}

/** In each currency. */
async function sumOf(IDs: number[]): Promise<string> {
  const sums = await readAs<Sum>(
    SELECT.from(Proposals)
      .columns('currency', 'sum(value) as total')
      .where({ ID: { in: IDs } })
      .groupBy('currency'),
  )
  return sums
    .map(({ currency, total }) => `${writtenAmount(Number(total))} ${currency ?? ''}`.trim())
    .join(' + ')
}
