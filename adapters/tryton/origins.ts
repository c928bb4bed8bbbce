// What moves come of: lines of purchases and sales, parts of kits in them, shipments and productions.
import { isUnreadable } from '../errors.ts'
import { names } from '../rows/names.ts'
import { type ModelQuery, type ModelRow, readRowsOf } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type {
  ComponentRow,
  MoveRow,
  NumberedRow,
  PurchaseLineRow,
  SaleLineRow,
} from './entities.ts'
import type { Origin } from './to-movements.ts'

const PURCHASE = names(
  'purchase.number purchase.reference purchase.purchase_date purchase.party.code',
)
/** Parts of kits have no price of their own. */
const PRICE = names(
  `unit_price unit.factor unit.rate product.default_uom.factor product.default_uom.rate
   purchase.currency.code`,
)
const SALE = ['sale.number']
const ofKit = (fields: readonly string[]) => ['line', ...fields.map((field) => `line.${field}`)]

type LineRow = PurchaseLineRow & SaleLineRow

/** The fields of each kind of line that is read. */
const LINES: Record<string, readonly string[]> = {
  'purchase.line': [...PURCHASE, ...PRICE],
  'purchase.line.component': ofKit(PURCHASE),
  'sale.line': SALE,
  'sale.line.component': ofKit(SALE),
}

/** The models whose lines moves of purchases have as their origin. */
export const OF_PURCHASES = ['purchase.line', 'purchase.line.component']

/** `stock.move,12` as the model and the number. */
function reference(text: string | null | undefined): [model: string, id: number] {
  const [model = '', id = ''] = (text ?? '').split(',')
  return [model, Number(id)]
}

/** Orders whose lines must be readable; those of the others may be. */
export type Needed = 'purchase' | 'sale' | 'none'

/** What each of these moves comes of, by the number of the move. */
export async function readOrigins(
  system: Reads,
  rows: readonly MoveRow[],
  needed: Needed,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Origin>> {
  const lines = await readLines(system, rows, needed, signal)
  const others = rows.filter(({ origin }) => !lines.has(origin ?? ''))
  const numbers = await readNumbers(system, others, signal)
  return new Map(
    rows.map((row) => {
      const line = lines.get(row.origin ?? '')
      return [row.id, line ?? { number: numbers.get(documentOf(row)) ?? null }]
    }),
  )
}

async function readLines(
  system: Reads,
  rows: readonly MoveRow[],
  needed: Needed,
  signal: AbortSignal,
) {
  const found = new Map<string, Origin>()
  const byModel = Map.groupBy(
    rows.map(({ origin }) => reference(origin)),
    ([model]) => model,
  )
  for (const [model, those] of byModel) {
    const fields = LINES[model]
    if (!fields) continue
    const ids = those.map(([, id]) => id)
    const read = await readWhere<LineRow | ComponentRow<LineRow>>(
      ...([system, { model, domain: [], fields }, ids, signal] as const),
      model.startsWith(`${needed}.`),
    )
    for (const row of read) {
      const isPart = 'line' in row
      const { 'purchase.': purchase, 'sale.': sale } = (isPart ? row['line.'] : row) ?? {}
      found.set(`${model},${row.id}`, {
        ...{ line: isPart ? row.line : row.id, purchase, sale },
        ...(!isPart && { price: row }),
      })
    }
  }
  return found
}

const documentOf = ({ shipment, production_input: taken, production_output: made }: MoveRow) =>
  shipment ?? `production,${taken ?? made ?? ''}`

/** The numbers of shipments and productions, as far as the user may read them. */
async function readNumbers(system: Reads, rows: readonly MoveRow[], signal: AbortSignal) {
  const found = new Map<string, string | null>()
  const byModel = Map.groupBy(
    rows.map((row) => reference(documentOf(row))),
    ([model]) => model,
  )
  for (const [model, those] of byModel) {
    const ids = those.map(([, id]) => id).filter((id) => id > 0)
    if (!ids.length || !DOCUMENTS.test(model)) continue
    const query = { model, domain: [], fields: ['number'] }
    const read = await readWhere<NumberedRow>(system, query, ids, signal)
    for (const { id, number } of read) found.set(`${model},${id}`, number)
  }
  return found
}

const DOCUMENTS = /^(production|stock\.shipment\.(in|in\.return|internal|out|out\.return))$/

/** The rows with these numbers; none where they may not be read, unless they are needed. */
async function readWhere<Row extends ModelRow>(
  { client }: Reads,
  query: ModelQuery,
  ids: readonly number[],
  signal: AbortSignal,
  isNeeded = false,
): Promise<Row[]> {
  try {
    return await readRowsOf<Row>(client, query, 'id', ids, signal)
  } catch (error) {
    if (isNeeded || !isUnreadable(error)) throw error
    return []
  }
}
