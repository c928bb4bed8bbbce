import { rowsOf } from '../answers.ts'
import type { Restock, Source } from '../../client/index.ts'

/** All sources, over all pages. */
export async function readSources(client: Restock): Promise<Source[]> {
  const sources: Source[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: 200, cursor: cursor ?? undefined }
    const answer = await client.call('get', '/sources', { query })
    sources.push(...rowsOf(answer, ['id', 'type', 'account', 'status']))
    cursor = answer.data.next_cursor
  } while (cursor)
  return sources
}
