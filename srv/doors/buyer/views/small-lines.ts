// Lines with which waiting costs less than a line is worth: a row a supplier, to be decided as one.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { innermostQuery } from '../../../base/odata/query-limits.ts'
import { codeAndName } from '../../../base/texts/codes.ts'
import { listSmallLines } from '../../../domain/proposals/index.ts'
import { withSupplierNames } from '../computed-elements.ts'

/** Registers the handler of srv/doors/buyer/model/small-lines.cds. */
export function handleSmallLines(service: cds.ApplicationService) {
  service.on('READ', 'SmallLines', readSmallLines)
}

interface Page {
  SELECT?: {
    columns?: { as?: string }[]
    limit?: { rows?: { val?: number }; offset?: { val?: number } }
  }
}

/** Suppliers are few: all rows are made, and the page that is asked for is cut from them. */
async function readSmallLines(req: Request) {
  const named = await withSupplierNames(await listSmallLines())
  const rows = named.map(({ supplierName, ...row }) => ({
    ID: [row.source, row.supplier, row.currency ?? ''].join(' '),
    ...row,
    supplierText: codeAndName(row.supplier, supplierName),
    orderHref: hrefOf(row),
  }))
  const { limit, columns } = (innermostQuery(req.query) as Page).SELECT ?? {}
  if (columns?.[0]?.as === '$count') return [{ $count: rows.length }]
  const from = limit?.offset?.val ?? 0
  const page = rows.slice(from, from + (limit?.rows?.val ?? rows.length))
  return Object.assign(page, { $count: rows.length })
}

function hrefOf({
  source,
  supplier,
  currency,
}: Record<'source' | 'supplier' | 'currency', unknown>) {
  const given = Object.entries({ source, supplier, currency }).filter(([, value]) => value !== null)
  return `#/Suppliers?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}
