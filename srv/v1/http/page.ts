import { z } from 'zod'
import { integerInQuery } from './fields.ts'
import { fromCursor, toCursor } from './cursor.ts'

/** The query parameters of every list. */
export const paging = {
  limit: integerInQuery(1, 200).default(50),
  cursor: z.string().optional(),
}

interface Paging {
  limit: number
  cursor?: string
}

/** A page as services answer it: `next` is the position after its last row, null at the end. */
export interface ServicePage<Row> {
  data: Row[]
  next: string | null
}

/** A list with its filters, which a cursor is bound to. */
export const boundTo = (path: string, filters: object) =>
  JSON.stringify([path, Object.entries(filters).sort()])

type Fetch<Row> = (page: { after: string | null; limit: number }) => Promise<ServicePage<Row>>

/**
 * A page of a list in the API's envelope.
 * @param path of the list; with the filters in the query it is what a cursor is bound to
 * @throws Refusal invalid_cursor
 */
export async function pageOf<Row, Json>(
  path: string,
  { limit, cursor, ...filters }: Paging,
  fetch: Fetch<Row>,
  toJson: (row: Row) => Json,
) {
  const list = boundTo(path, filters)
  const after = cursor === undefined ? null : fromCursor(list, cursor)
  const { data, next } = await fetch({ after, limit })
  return {
    data: data.map(toJson),
    next_cursor: next ? toCursor(list, next) : null,
    has_more: Boolean(next),
  }
}

/** The schema of such a page. */
export const pageSchema = <T extends z.ZodType>(row: T) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable(), has_more: z.boolean() })
