import { listOf, proposal, readAnswer } from '../answers.ts'
import { Failure } from '../errors.ts'
import type { Proposal } from '../answers.ts'
import type { Client, Request } from '../client.ts'

const PAGE = 200
/** Counting what is not shown ends after so many calls. */
const MOST_COUNTING_CALLS = 5

/** Reads lists page by page until there are `limit` rows, or no more. `next` is null at the end. */
export async function readPages(
  client: Client,
  query: Request['query'],
  limit: number,
): Promise<{ rows: Proposal[]; next: string | null }> {
  const rows: Proposal[] = []
  let cursor = query?.cursor
  do {
    const page = Math.min(PAGE, limit - rows.length)
    const answer = await client.call('GET', '/proposals', {
      query: { ...query, cursor, limit: page },
    })
    const { data, next_cursor } = readAnswer(listOf(proposal), answer)
    rows.push(...data)
    if (!next_cursor || data.length === 0) return { rows, next: null }
    cursor = next_cursor
  } while (rows.length < limit)
  return { rows, next: String(cursor) }
}

/** How many rows there are after a cursor, in words: a number, or a bound where there are very many. */
export async function countRest(client: Client, query: Request['query']): Promise<string> {
  const most = MOST_COUNTING_CALLS * PAGE
  try {
    const { rows, next } = await readPages(client, query, most)
    return next === null ? String(rows.length) : `over ${most}`
  } catch (error) {
    if (error instanceof Failure) return 'there are'
    throw error
  }
}
