import { RestockError } from '../../client/index.ts'
import { rowsOf } from '../answers.ts'
import { Failure } from '../errors.ts'
import type { InputOf, Proposal, Restock } from '../../client/index.ts'

export type ProposalsQuery = NonNullable<InputOf<'get', '/proposals'>['query']>

const PAGE = 200
/** Counting what is not shown ends after so many calls. */
const MOST_COUNTING_CALLS = 5

/** Reads lists page by page until there are `limit` rows, or no more. `next` is null at the end. */
export async function readPages(
  client: Restock,
  query: ProposalsQuery,
  limit: number,
): Promise<{ rows: Proposal[]; next: string | null }> {
  const rows: Proposal[] = []
  let { cursor } = query
  do {
    const page = { ...query, cursor, limit: Math.min(PAGE, limit - rows.length) }
    const answer = await client.call('get', '/proposals', { query: page })
    const found = rowsOf(answer, ['id', 'sku', 'location', 'quantity', 'status', 'calculation'])
    rows.push(...found)
    const { next_cursor } = answer.data
    if (!next_cursor || found.length === 0) return { rows, next: null }
    cursor = next_cursor
  } while (rows.length < limit)
  return { rows, next: cursor }
}

/** How many rows there are after a cursor, in words: a number, or a bound where there are very many. */
export async function countRest(client: Restock, query: ProposalsQuery): Promise<string> {
  const most = MOST_COUNTING_CALLS * PAGE
  try {
    const { rows, next } = await readPages(client, query, most)
    return next === null ? String(rows.length) : `over ${most}`
  } catch (error) {
    if (error instanceof Failure || error instanceof RestockError) return 'there are'
    throw error
  }
}
