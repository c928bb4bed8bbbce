import type { Cursor, Page, Stream } from '../adapter.ts'
import { progressOf } from '../rows/snapshot.ts'
import { readAhead } from '../rows/read-ahead.ts'
import { rangeOf } from '../odata/keys.ts'
import { instantLiteral, textLiteral } from '../odata/query.ts'
import type { RowsPage } from '../odata/pages.ts'
import type { DescriptionRow, ProductRow, ValuationRow } from './entities.ts'
import { PRODUCT } from './services.ts'
import type { EntityQuery } from '../odata/reader.ts'
import type { System } from './system.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { Batch } from '../rows/quarantine.ts'
import { toSku } from './to-sku.ts'
import { instantOf } from '../rows/days.ts'

export const PRODUCTS = {
  service: PRODUCT,
  set: 'A_Product',
  key: ['Product'],
  select: ['Product', 'BaseUnit', 'ProductGroup', 'IsMarkedForDeletion', 'LastChangeDateTime'],
}

const DESCRIPTIONS = {
  service: PRODUCT,
  set: 'A_ProductDescription',
  key: ['Product', 'Language'],
  select: ['Product', 'Language', 'ProductDescription'],
}

const VALUATIONS = {
  service: PRODUCT,
  set: 'A_ProductValuation',
  key: ['Product', 'ValuationArea', 'ValuationType'],
  select: [
    'Product',
    'ValuationArea',
    'ValuationType',
    'IsMarkedForDeletion',
    'InventoryValuationProcedure',
    'StandardPrice',
    'MovingAveragePrice',
    'PriceUnitQty',
    'Currency',
  ],
  filter: "ValuationType eq ''",
}

/** A read goes back this far before the last one began, because changes may be saved late. */
const OVERLAP_MS = 10 * 60_000

/** The cursor of a read. */
interface State {
  /** Products changed at or after this instant are read; null for all products. */
  from: number | null
  /** Reading continues after this product; null at the beginning, and between two reads. */
  after: string | null
  /** The ERP's clock when the read began; null between two reads. */
  began: number | null
  /** The newest change that was seen. */
  newest: number | null
  done: number
  total: number | null
}

const FRESH: State = { from: null, after: null, began: null, newest: null, done: 0, total: null }

/** Products with names in one language; later reads return only products changed since. */
export function skuStream(system: System): Stream<'skus'> {
  return {
    record: 'skus',
    cursor: 'changedAt',
    isRequired: true,
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = stateOf(since)
      const isWhole = state.from === null
      const open = (inner: AbortSignal) => composePages(system, state, isWhole, inner)
      for await (const { batch, page } of readAhead(open, signal)) {
        signal.throwIfAborted()
        advanceState(state, page)
        yield { ...batch, cursor: JSON.stringify(state), progress: progressOf(state) }
      }
      signal.throwIfAborted()
      yield closingPage(state)
    },
  }
}

interface ComposedPage {
  batch: Batch<'skus'>
  page: RowsPage<ProductRow>
}

async function* composePages(
  system: System,
  { from, after }: State,
  isWhole: boolean,
  signal: AbortSignal,
): AsyncGenerator<ComposedPage> {
  const filter = from === null ? null : `LastChangeDateTime ge ${instantLiteral(from)}`
  const start = { after: after === null ? null : [after] }
  for await (const page of system.pages<ProductRow>({ ...PRODUCTS, filter }, start, signal)) {
    const batch: Batch<'skus'> = { records: [], quarantined: [] }
    const { rows } = page
    const [descriptions, valuations] = await Promise.all([
      readDetails<DescriptionRow>(
        system,
        { ...DESCRIPTIONS, filter: `Language eq ${textLiteral(system.options.language)}` },
        ...[rows, isWhole, signal],
      ),
      readDetails<ValuationRow>(system, VALUATIONS, rows, isWhole, signal),
    ])
    addRecords(
      batch,
      rows,
      (row) => {
        const { Product } = row
        return toSku(row, descriptions.get(Product)?.[0], valuations.get(Product) ?? [])
      },
      ({ Product }) => `A_Product('${Product}')`,
    )
    yield { batch, page }
  }
}

/** The rows of the products, by product. A full read requests them as one range of keys. */
async function readDetails<Row extends { Product: string }>(
  system: System,
  query: EntityQuery,
  products: ProductRow[],
  isWhole: boolean,
  signal: AbortSignal,
): Promise<Map<string, Row[]>> {
  const [first, last] = [products[0], products.at(-1)]
  const details = new Map<string, Row[]>()
  if (!first || !last) return details
  const range = `(${query.filter}) and ${rangeOf('Product', first.Product, last.Product)}`
  const skus = products.map(({ Product }) => Product)
  const rows = isWhole
    ? await system.all<Row>({ ...query, filter: range }, signal)
    : await system.allOf<Row>(query, 'Product', skus, signal)
  for (const row of rows) {
    const known = details.get(row.Product)
    if (known) known.push(row)
    else details.set(row.Product, [row])
  }
  return details
}

function advanceState(state: State, page: RowsPage<ProductRow>): void {
  state.began ??= page.serverTime ?? Date.now()
  for (const { LastChangeDateTime } of page.rows) {
    const changed = instantOf(LastChangeDateTime)
    if (changed !== null && changed > (state.newest ?? -Infinity)) state.newest = changed
  }
  state.after = page.last?.[0] ?? null
  state.total ??= page.total === null ? null : state.done + page.total
  state.done += page.rows.length
}

/**
 * The next read starts before this one began and before the newest change, because the clock of the
 * ERP's web server may differ from the one that dates changes.
 */
function closingPage(state: State): Page<'skus'> {
  const { from, began, newest } = state
  const known = newest === null ? null : newest - OVERLAP_MS
  const next = known === null ? from : Math.min(began! - OVERLAP_MS, known)
  const cursor: Cursor = JSON.stringify({ ...FRESH, from: Math.max(next ?? 0, from ?? 0) })
  return { records: [], quarantined: [], cursor, progress: progressOf(state) }
}

function stateOf(since: Cursor | null): State {
  if (since === null) return { ...FRESH }
  return { ...FRESH, ...(JSON.parse(since) as State) }
}
