import { names } from '../rows/names.ts'
import type { Cursor, Page, Stream } from '../adapter.ts'
import { batchOf, type Batch, progressOf, readAhead } from '../rows/pages.ts'
import { rangeOf } from '../odata/keys.ts'
import { textLiteral } from '../odata/query.ts'
import type { RowsPage } from '../odata/pages.ts'
import type { DescriptionRow, ProductRow, ValuationRow } from './entities.ts'
import { changedSince, newestOf, nextFrom } from './changes.ts'
import { PRODUCT } from './services.ts'
import { type EntityQuery, withFilter } from '../odata/reader.ts'
import { readProducts, rowsOfTurn, type Turn } from './scope.ts'
import type { System } from './system.ts'
import { toSku } from './to-product.ts'

const FIELDS = ['Product', 'BaseUnit', 'ProductGroup', 'IsMarkedForDeletion']

export const PRODUCTS = {
  service: PRODUCT,
  set: 'A_Product',
  key: ['Product'],
  select: [...FIELDS, 'LastChangeDateTime'],
}

/** Which products have changed, and when. */
export const CHANGED_PRODUCTS = { ...PRODUCTS, select: ['Product', 'LastChangeDateTime'] }

/** Products of a range of keys, whenever they were changed. */
const IN_TURN = { ...PRODUCTS, select: FIELDS }

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
  select: names(
    `Product ValuationArea ValuationType IsMarkedForDeletion InventoryValuationProcedure
     StandardPrice MovingAveragePrice PriceUnitQty Currency`,
  ),
  filter: "ValuationType eq ''",
}

/** The cursor of a read. */
interface State {
  /** Products changed at or after this instant are read; null for all products. */
  from: number | null
  /** Reading continues after this product; null at the beginning, and between two reads. */
  after: string | null
  /** The ERP's clock when the read began, and at its last page; null between two reads. */
  began: number | null
  seen: number | null
  /** The newest change that was seen. */
  newest: number | null
  /** Whose names and prices, which may change without a timestamp, are read again next. */
  turn: Turn
  done: number
  total: number | null
}

const FRESH: State = {
  ...{ from: null, after: null, began: null, seen: null, newest: null },
  ...{ turn: { next: '', size: 0 }, done: 0, total: null },
}

/** Products with names in one language; later reads return products changed since, and a range of others. */
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
      if (isWhole) state.turn.size = state.done
      else yield* readInTurn(system, state, signal)
      signal.throwIfAborted()
      yield closingPage(state)
    },
  }
}

/** The products whose turn it is. A read that is broken off goes on behind the last page. */
async function* readInTurn(
  system: System,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<Page<'skus'>> {
  const { turn } = state
  const wanted = rowsOfTurn(turn)
  const start = { after: turn.next ? [turn.next] : null }
  let rows = 0
  const top = Math.min(wanted, system.options.page_size)
  for await (const page of system.pages<ProductRow>({ ...IN_TURN, top }, start, signal)) {
    const batch = await compose(system, page.rows, true, signal)
    signal.throwIfAborted()
    rows += page.rows.length
    turn.next = page.last?.[0] ?? ''
    state.done += page.rows.length
    yield { ...batch, cursor: JSON.stringify(state), progress: progressOf(state) }
    if (rows >= wanted) return
  }
  turn.next = ''
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
  const query = from === null ? PRODUCTS : withFilter(PRODUCTS, changedSince(from))
  const start = { after: after === null ? null : [after] }
  for await (const page of system.pages<ProductRow>(query, start, signal)) {
    yield { batch: await compose(system, page.rows, isWhole, signal), page }
  }
}

/** @param isRange whether the rows are all products from the first to the last */
async function compose(
  system: System,
  rows: ProductRow[],
  isRange: boolean,
  signal: AbortSignal,
): Promise<Batch<'skus'>> {
  const language = `Language eq ${textLiteral(system.options.language)}`
  const [descriptions, valuations] = await Promise.all([
    readDetails<DescriptionRow>(system, withFilter(DESCRIPTIONS, language), rows, isRange, signal),
    readDetails<ValuationRow>(system, VALUATIONS, rows, isRange, signal),
  ])
  const map = (row: ProductRow) =>
    toSku(row, descriptions.get(row.Product)?.[0], valuations.get(row.Product) ?? [])
  return batchOf<'skus', ProductRow>(rows, map, ({ Product }) => `A_Product('${Product}')`)
}

/** The rows of the products, by product. */
async function readDetails<Row extends { Product: string }>(
  system: System,
  query: EntityQuery,
  products: ProductRow[],
  isRange: boolean,
  signal: AbortSignal,
): Promise<Map<string, Row[]>> {
  const [first, last] = [products[0], products.at(-1)]
  if (!first || !last) return new Map()
  const skus = new Set(products.map(({ Product }) => Product))
  const rows = isRange
    ? system.all<Row>(withFilter(query, rangeOf('Product', first.Product, last.Product)), signal)
    : readProducts<Row>(system, query, 'Product', skus, signal)
  return Map.groupBy(await rows, ({ Product }) => Product)
}

function advanceState(state: State, page: RowsPage<ProductRow>): void {
  state.seen = page.serverTime ?? Date.now()
  state.began ??= state.seen
  state.newest = newestOf(page.rows, state.newest)
  state.after = page.last?.[0] ?? null
  state.total ??= page.total === null ? null : state.done + page.total
  state.done += page.rows.length
}

function closingPage(state: State): Page<'skus'> {
  const { from, began, seen, newest, turn } = state
  const period = { began: began ?? Date.now(), ended: seen ?? Date.now() }
  const next = nextFrom(from, period, newest) ?? 0
  const cursor: Cursor = JSON.stringify({ ...FRESH, from: next, turn })
  return { records: [], quarantined: [], cursor, progress: progressOf(state) }
}

function stateOf(since: Cursor | null): State {
  const state = since === null ? FRESH : { ...FRESH, ...(JSON.parse(since) as Partial<State>) }
  return { ...state, turn: { ...state.turn } }
}
