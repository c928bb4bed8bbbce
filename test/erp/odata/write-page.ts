import { openPage } from './page.ts'
import { rowWriter } from './write-row.ts'
import type { Limits, PageOfRows } from './page.ts'
import type { Query } from './query.ts'
import type { RowFormat } from './write-row.ts'
import type { EntitySet } from './set.ts'

/** Characters of one piece of an answer. */
const PIECE = 256 * 1024

export interface PageRequest {
  set: EntitySet
  query: Query
  limits: Limits
  format: RowFormat
  /** The address of the page that goes on at a skiptoken. */
  nextLink(token: string): string
}

/** The answer piece by piece, so that one of millions of rows needs no memory; ASCII only. */
export function* writePage(request: PageRequest): Generator<string, number> {
  const { set, query, format, limits } = request
  const page = openPage(set, query, limits)
  const v2 = format.service.version === 2
  yield v2 ? headV2(page, query) : headV4(page, request)
  const write = rowWriter(set, page.rows, query, format)
  let text = ''
  let count = 0
  while (page.next()) {
    text += count++ ? ',' + write() : write()
    if (text.length > PIECE) {
      yield text
      text = ''
    }
  }
  const following = page.following()
  let tail = ']'
  if (following) {
    const { at, left } = following
    const link = request.nextLink(left === null ? `${at}` : `${at}-${left}`)
    tail += v2 ? `,"__next":"${link}"` : `,"@odata.nextLink":"${link}"`
  }
  yield text + tail + (v2 ? '}}' : '}')
  return count
}

function headV2(page: PageOfRows, query: Query): string {
  return `{"d":{${query.count ? `"__count":"${page.total()}",` : ''}"results":[`
}

function headV4(page: PageOfRows, { set, query, format }: PageRequest): string {
  const fields = query.select ? `(${query.select.join(',')})` : ''
  const count = query.count ? `"@odata.count":${page.total()},` : ''
  return `{"@odata.context":"${format.base}/$metadata#${set.name}${fields}",${count}"value":[`
}
