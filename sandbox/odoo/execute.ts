import type { ModelRecord } from '../models/predicate.ts'
import { select } from '../models/table.ts'
import type { Table } from '../models/table.ts'
import type { OdooBehaviour } from './behaviour.ts'
import { hintsOf, predicateOf } from './domain.ts'

/** An error as Odoo names it, with the status that JSON-2 gives it. */
export class OdooError extends Error {
  readonly kind: string
  readonly status: number
  constructor(kind: string, status: number, message = 'You are not allowed to do this.') {
    super(message)
    this.kind = kind
    this.status = status
  }
}

interface Args {
  domain?: Parameters<typeof predicateOf>[0]
  fields?: string[]
  limit?: number
  order?: string
}

/** @throws OdooError for anything but a read */
export function executeRead(
  tables: Record<string, Table>,
  model: string,
  method: string,
  { domain = [], fields = [], limit = Infinity, order = 'id' }: Args,
  { badRow, emptyModel }: OdooBehaviour,
): unknown {
  const table = tables[model]
  if (!table) throw new OdooError('KeyError', 404, `the model '${model}' doesn't exist`)
  if (method === 'fields_get') {
    return Object.fromEntries(table.fields.map((field) => [field, { type: 'char' }]))
  }
  if (method !== 'search_read' && method !== 'search_count') throw new OdooError('AccessError', 403)
  const unknown = fields.find((field) => !table.fields.includes(field))
  if (unknown) throw new OdooError('ValueError', 422, `Invalid field '${unknown}' on '${model}'`)
  if (model === emptyModel) return method === 'search_count' ? 0 : []
  const found = select(table, {
    predicate: predicateOf(domain),
    hints: hintsOf(domain),
    limit: method === 'search_count' ? Infinity : limit,
    newestFirst: order === 'id desc',
  })
  if (method === 'search_count') return found.length
  return found.map((row) => {
    const isBad = badRow?.model === model && badRow.id === row.id
    return toWire(isBad ? { ...row, ...badRow.values } : row, fields)
  })
}

function toWire(row: ModelRecord, fields: readonly string[]): ModelRecord {
  const wire: ModelRecord = { id: row.id }
  for (const field of fields) {
    const value = row[field] ?? false
    const isLink = typeof value === 'object'
    wire[field] = isLink ? [(value as ModelRecord).id, (value as ModelRecord).name] : value
  }
  return wire
}
