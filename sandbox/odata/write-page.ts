import { openPage } from './page.ts'
import { AsciiWriter } from './ascii-writer.ts'
import { rowWriter } from './write-row.ts'
import type { Limits, PageOfRows } from './page.ts'
import type { Query } from './query.ts'
import type { RowFormat } from './write-row.ts'
import type { EntitySet } from './set.ts'

export interface PageRequest {
  set: EntitySet
  query: Query
  limits: Limits
  format: RowFormat
  /** The address of the page for a skiptoken. */
  nextLink(token: string): string
  /** A link that even the last page has. */
  lastLink?: string
}

const COMMA = 0x2c

/**
 * Writes the answer in pieces, so that memory stays small even for millions of rows.
 * @returns the number of rows, and of those expanded below them
 */
export function* writePage(
  request: PageRequest,
): Generator<Buffer, { rows: number; below: number }> {
  const { set, query, format, limits } = request
  const page = openPage(set, query, limits)
  const out = new AsciiWriter()
  const v2 = format.service.version === 2
  out.text(v2 ? headV2(page, query) : headV4(page, request))
  const write = rowWriter(set, page.rows, query, format, out)
  let rows = 0
  let below = 0
  while (page.next()) {
    if (rows++) out.byte(COMMA)
    below += write()
    if (out.full) yield out.take()
  }
  out.text(']')
  const link = linkOf(page, request)
  if (link !== undefined) out.text(v2 ? `,"__next":"${link}"` : `,"@odata.nextLink":"${link}"`)
  out.text(v2 ? '}}' : '}')
  yield out.end()
  return { rows, below }
}

function headV2(page: PageOfRows, query: Query): string {
  return `{"d":{${query.count ? `"__count":"${page.total()}",` : ''}"results":[`
}

function headV4(page: PageOfRows, { set, query, format }: PageRequest): string {
  const fields = query.select ? `(${query.select.join(',')})` : ''
  const count = query.count ? `"@odata.count":${page.total()},` : ''
  return `{"@odata.context":"${format.base}/$metadata#${set.name}${fields}",${count}"value":[`
}

function linkOf(page: PageOfRows, request: PageRequest): string | undefined {
  const following = page.following()
  if (!following) return request.lastLink
  const { at, left } = following
  return request.nextLink(left === null ? `${at}` : `${at}-${left}`)
}
