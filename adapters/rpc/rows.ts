import type { Domain, ModelPage, ModelQuery, ModelReader, ModelRow } from './reader.ts'

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
