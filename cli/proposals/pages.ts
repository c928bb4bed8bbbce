import { RestockError } from '../../client/index.ts'
import { rowsOf } from '../answers.ts'
import { Failure } from '../errors.ts'
import type { InputOf, Proposal, Restock } from '../../client/index.ts'

export type ProposalsQuery = NonNullable<InputOf<'get', '/proposals'>['query']>

const PAGE = 200
/** Most calls for counting the rows that are not shown. */
const MAX_COUNTING_CALLS = 5

/** Reads pages until there are `limit` rows or the list ends; `next` is then null. */
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

/** The number of rows after a cursor as text; a lower bound where there are very many. */
export async function countRest(client: Restock, query: ProposalsQuery): Promise<string> {
  const most = MAX_COUNTING_CALLS * PAGE
  try {
    const { rows, next } = await readPages(client, query, most)
    return next === null ? String(rows.length) : `over ${most}`
  } catch (error) {
    if (error instanceof Failure || error instanceof RestockError) return 'there are'
    throw error
  }
}
