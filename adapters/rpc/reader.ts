import { Fatal } from '../errors.ts'

// ERPs that show their tables as models with numbered records, which are searched by a domain.

/** A search expression as the ERP writes it: conditions that must all hold. */
export type Domain = readonly unknown[]

export interface ModelQuery {
  model: string
  domain: Domain
  fields: readonly string[]
  /** Rows per page; that of the reader unless given. */
  limit?: number
  context?: Record<string, unknown>
  /** Highest number first. */
  newestFirst?: boolean
}

export interface ModelRow {
  id: number
}

export interface ModelPage<Row> {
  rows: Row[]
  /** The ERP's clock, milliseconds since 1970. */
  serverTime: number | null
}

/** Reads records of models; how conditions are written differs by ERP. */
export interface ModelReader {
  /** The first rows by number. */
  search<Row extends ModelRow>(
    query: ModelQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<ModelPage<Row>>
  count(query: Pick<ModelQuery, 'model' | 'domain'>, signal: AbortSignal): Promise<number>
  /** One of the domains holds. */
  anyOf(...domains: Domain[]): unknown
  /** A time as conditions name it. @param at milliseconds since 1970 */
  instant(at: number): unknown
  /** The ERP's clock, milliseconds since 1970. */
  now(signal: AbortSignal): Promise<number>
  readonly pageSize: number
}

// ERPs whose every call is a POST to one path: what may be called is checked by model and method.

/** The methods that may be called of each model; all of them only read. */
export type CallList = Readonly<Record<string, readonly string[]>>

/** @throws Fatal request_not_allowed for a call that is not on the list */
export function assertCall(list: CallList, model: string, method: string): void {
  if (Object.hasOwn(list, model) && list[model]!.includes(method)) return
  throw new Fatal('request_not_allowed', `${model}.${method} is not among the reads.`)
}

/** Numbers in a condition, and records looked up at once. */
const CHUNK = 1_000

/** Pages by number, so that rows which are added or removed meanwhile shift nothing. */
export async function* readPages<Row extends ModelRow>(
  reader: ModelReader,
  query: ModelQuery,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<ModelPage<Row>> {
  const limit = query.limit ?? reader.pageSize
  for (let last = after; ;) {
    const domain = last ? [...query.domain, ['id', '>', last]] : query.domain
    const page = await reader.search<Row>({ ...query, domain }, limit, signal)
    yield page
    if (page.rows.length < limit) return
    last = page.rows.at(-1)!.id
  }
}

export async function readRows<Row extends ModelRow>(
  reader: ModelReader,
  query: ModelQuery,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of readPages<Row>(reader, query, signal)) rows.push(...page.rows)
  return rows
}

/** The rows of which a field is one of these numbers. */
export async function readRowsOf<Row extends ModelRow>(
  reader: ModelReader,
  query: ModelQuery,
  field: string,
  numbers: Iterable<number>,
  signal: AbortSignal,
): Promise<Row[]> {
  const all = [...new Set(numbers)]
  const rows: Row[] = []
  for (let at = 0; at < all.length; at += CHUNK) {
    const some: Domain = [...query.domain, [field, 'in', all.slice(at, at + CHUNK)]]
    rows.push(...(await readRows<Row>(reader, { ...query, domain: some }, signal)))
  }
  return rows
}

/** Any of these times is at or after this one; a condition of a row's own times or those of what belongs to it. */
export const changedSince = (
  reader: ModelReader,
  fields: readonly string[],
  from: number,
): Domain => {
  const instant = reader.instant(from)
  return [reader.anyOf(...fields.map((field) => [[field, '>=', instant]]))]
}
