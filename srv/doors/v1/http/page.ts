import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { CursorKeys } from '../../../base/database/entities.ts'
import { insertIfAbsent } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { integerInQuery } from '../../../base/input.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** The key that signs cursors: one for all instances and restarts, stored in the database. */
let key = randomBytes(32)

/** Makes the key at the first start. */
export async function prepareCursorKey() {
  const ID = 1
  await insertIfAbsent(CursorKeys, { ID }, { secret: key.toString('hex') })
  const row = await SELECT.one.from(CursorKeys).where({ ID })
  key = Buffer.from(row!.secret!, 'hex')
}

const SEAL_LENGTH = 16

const sealOf = (boundTo: string, after: string) =>
  createHmac('sha256', key).update(`${boundTo}\n${after}`).digest('base64url').slice(0, SEAL_LENGTH)

/**
 * A position in a list as callers see it.
 * @param boundTo the list with its filters and sort; the cursor is good for nothing else
 */
export const toCursor = (boundTo: string, after: string): string =>
  Buffer.from(sealOf(boundTo, after) + after).toString('base64url')

/** The position in a cursor. @throws Refusal invalid_cursor */
export function fromCursor(boundTo: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const after = text.slice(SEAL_LENGTH)
  if (toCursor(boundTo, after) === cursor) return after
  throw new Refusal('invalid_cursor', 'The cursor is not one of this list with these filters.', {
    target: 'cursor',
  })
}

/** The query parameters of every list. */
export const paging = {
  limit: integerInQuery(1, 200).default(50),
  cursor: z.string().optional(),
}

/** A page as services answer it: `next` is the position after its last row, null at the end. */
export interface ServicePage<Row> {
  data: Row[]
  next: string | null
}

/** A list with its filters, which a cursor is bound to. */
export const boundTo = (path: string, filters: object) =>
  JSON.stringify([path, Object.entries(filters).sort()])

/** The schema of such a page. */
export const pageSchema = <T extends z.ZodType>(row: T, beside: z.ZodRawShape = {}) =>
  z.object({
    ...{ data: z.array(row), next_cursor: z.string().nullable(), has_more: z.boolean() },
    ...beside,
  })

interface List<Row, Json extends z.ZodType, Filters extends z.ZodRawShape> extends Pick<
  Endpoint,
  'path' | 'summary' | 'scopes' | 'errors' | 'of'
> {
  filters?: Filters
  row: Json
  toJson: (row: Row) => z.infer<Json>
  /** `after` is the position of the last row seen, null at the start. */
  fetch: (
    page: { after: string | null; limit: number },
    filters: z.infer<z.ZodObject<Filters>>,
    params: Record<string, string>,
  ) => Promise<ServicePage<Row>>
  /** What a page says beside its rows. */
  beside?: { members: z.ZodRawShape; read: () => Promise<object> }
}

/** A list in the API's envelope; a cursor is bound to its path and filters. */
export const listEndpoint = <
  Row,
  Json extends z.ZodType,
  Filters extends z.ZodRawShape = Record<never, never>,
>({
  filters,
  row,
  toJson,
  fetch,
  beside,
  errors = [],
  ...rest
}: List<Row, Json, Filters>) =>
  endpoint({
    ...rest,
    method: 'get',
    query: z.strictObject({ ...filters, ...paging }),
    answers: { 200: pageSchema(row, beside?.members) },
    errors: [...errors, 'invalid_cursor'],
    async handle({ path, params, query: { limit, cursor, ...chosen } }) {
      const list = boundTo(path, chosen)
      const after = cursor === undefined ? null : fromCursor(list, cursor)
      const filters = chosen as z.infer<z.ZodObject<Filters>>
      const { data, next } = await fetch({ after, limit }, filters, params)
      const body = {
        data: data.map(toJson),
        next_cursor: next ? toCursor(list, next) : null,
        has_more: Boolean(next),
        ...(await beside?.read()),
      }
      return { status: 200, body }
    },
  })
