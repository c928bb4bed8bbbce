import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Reply } from '../http/answer.ts'
import type { ServicePage } from '../http/page.ts'
import { toId } from '../http/ids.ts'
import { type ServiceProposal, toProposal } from './to-proposal.ts'

const PAGE = 1000

const COLUMNS = [
  'external_reference',
  'sku',
  'location',
  'supplier',
  'quantity',
  'unit_cost',
  'value',
  'currency',
  'order_by',
  'status',
  'decided_at',
  'decided_by',
  'kind',
  'from_location',
]

type List = (page: { after: string | null; limit: number }) => Promise<ServicePage<ServiceProposal>>

/** Every proposal of a list, page by page. The first page is read before anything is answered. */
export async function exportReply(format: 'csv' | 'json', list: List): Promise<Reply> {
  const first = await list({ after: null, limit: PAGE })
  if (format === 'json') {
    const data = []
    for await (const row of rowsOf(first, list)) data.push(toProposal(row))
    return { status: 200, body: { data } }
  }
  // A cell that a spreadsheet would run as a formula gets an apostrophe in front.
  const csv = stringify({ header: true, columns: COLUMNS, escape_formulas: true })
  const stream = Readable.from(linesOf(first, list)).compose(csv) as Readable
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="proposals.csv"',
  }
  return { status: 200, stream, headers }
}

async function* rowsOf(first: ServicePage<ServiceProposal>, list: List) {
  let page = first
  yield* page.data
  while (page.next) {
    page = await list({ after: page.next, limit: PAGE })
    yield* page.data
  }
}

async function* linesOf(first: ServicePage<ServiceProposal>, list: List) {
  for await (const row of rowsOf(first, list)) {
    yield { external_reference: toId('prop', row.ID), ...toProposal(row) }
  }
}
