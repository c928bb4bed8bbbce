import type { Page, Stream } from '../../adapter.ts'
import { addRecord, type Batch, readAhead } from '../../rows/pages.ts'
import type { OrderUnitRow, ProductPlantRow, SupplyPlanningRow } from '../entities.ts'
import { EVERYTHING, readProducts, readScope, type Scope, scopeOf } from '../scope.ts'
import { PRODUCT } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversion, NO_CONVERSION, readConversions } from '../units.ts'
import { readBlockedSuppliers } from './blocked-suppliers.ts'
import { cursorOf, PARTIAL, placesByProduct, type State, stateOf } from './cursor.ts'
import { type BadRow, InfoRecords } from './info-records.ts'
import { readAll, readSome, SUPPLY_PLANNING } from './scope.ts'
import { type PlanningInput, toPlanning } from './to-planning.ts'

const FLAGGED = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
  filter: 'IsMarkedForDeletion eq true',
}

/** Pairs per page. */
const PAGE_ROWS = 1_000

/** One record per pair, composed of its supply planning, info record and deletion flag. */
export function planningStream(system: System): Stream<'planning'> {
  return {
    record: 'planning',
    cursor: 'changedAt',
    isRequired: false,
    async *read(since, signal) {
      signal.throwIfAborted()
      const open = (inner: AbortSignal) => readPages(system, stateOf(since), inner)
      for await (const page of readAhead(open, signal)) {
        signal.throwIfAborted()
        yield { ...page, cursor: page.cursor ?? since ?? PARTIAL }
      }
      signal.throwIfAborted()
    },
  }
}

/** A page; the last one has the cursor of the next read. */
type PlanningPage = Omit<Page<'planning'>, 'cursor'> & { cursor?: Page['cursor'] }

/** The lists are read side by side, because a slow ERP takes long for each page. */
async function* readPages(
  system: System,
  before: State | null,
  signal: AbortSignal,
): AsyncGenerator<PlanningPage> {
  const blocked = await readBlockedSuppliers(system, signal)
  const some = before && (await readSome(system, before, blocked, signal))
  const scope = some?.scope ?? scopeOf(EVERYTHING, [])
  const [{ supplies, state }, infoRecords, flagged] = await Promise.all([
    some ?? readAll(system, blocked, signal),
    InfoRecords.load(system, scope, blocked, signal),
    readFlaggedPairs(system, scope, signal),
  ])
  const total = supplies.length
  const progress = (done: number) => ({ done, total, unit: 'rows' as const })
  const { bad } = infoRecords
  const reread = Object.values(before?.bad ?? {}).flat()
  const quarantined = bad.map(({ row }) => row)
  yield { records: [], quarantined, reread, progress: progress(0) }
  const termsOf = ({ Product, Plant }: SupplyPlanningRow) => infoRecords.of(Product, Plant)
  const withoutLot = supplies.filter((supply) => !hasRounding(supply) && !termsOf(supply))
  const skus = withoutLot.map(({ Product }) => Product)
  const orderUnitOf = await readOrderUnitConversions(system, skus, signal)
  const inputOf = (supply: SupplyPlanningRow): PlanningInput => ({
    supply,
    terms: termsOf(supply),
    isFlagged: flagged.has(pairKey(supply)),
    orderUnit: orderUnitOf(supply.Product),
  })
  for (let at = 0; at < total; at += PAGE_ROWS) {
    const part = supplies.slice(at, at + PAGE_ROWS)
    yield { ...toBatch(part, inputOf, bad), progress: progress(at + part.length) }
  }
  const cursor = cursorOf({ ...state, bad: placesByProduct(bad) })
  yield { records: [], quarantined: [], cursor, progress: progress(total) }
}

/** @param bad is given the rows that could not be used */
function toBatch(
  supplies: readonly SupplyPlanningRow[],
  inputOf: (supply: SupplyPlanningRow) => PlanningInput,
  bad: BadRow[],
): Batch<'planning'> {
  const batch: Batch<'planning'> = { records: [], quarantined: [] }
  for (const supply of supplies) {
    const { Product, Plant } = supply
    const good = batch.quarantined.length
    addRecord(
      batch,
      supply,
      () => toPlanning(inputOf(supply)),
      () => `${SUPPLY_PLANNING.set}('${Product}','${Plant}')`,
      inputOf,
    )
    bad.push(...batch.quarantined.slice(good).map((row) => ({ sku: Product, row })))
  }
  return batch
}

const pairKey = ({ Product, Plant }: ProductPlantRow) => `${Product}\n${Plant}`
const hasRounding = ({ LotSizeRoundingQuantity }: SupplyPlanningRow) =>
  Number(LotSizeRoundingQuantity) > 0

const readFlaggedPairs = async (system: System, scope: Scope, signal: AbortSignal) =>
  new Set(
    (await readScope<ProductPlantRow>(system, FLAGGED, 'Product', scope, signal)).map(pairKey),
  )

const ORDER_UNITS = {
  service: PRODUCT,
  set: 'A_Product',
  key: ['Product'],
  select: ['Product', 'PurchaseOrderQuantityUnit'],
  filter: "PurchaseOrderQuantityUnit ne ''",
}

/** The conversion of each product's order unit to base units; null where the ERP has none. */
async function readOrderUnitConversions(
  system: System,
  skus: readonly string[],
  signal: AbortSignal,
): Promise<(sku: string) => Conversion | null> {
  const asked = new Set(skus)
  const rows = await readProducts<OrderUnitRow>(system, ORDER_UNITS, 'Product', asked, signal)
  const wanted = rows
    .filter((row) => row.PurchaseOrderQuantityUnit)
    .map((row) => ({ sku: row.Product, unit: row.PurchaseOrderQuantityUnit! }))
  const units = new Map(wanted.map((each) => [each.sku, each]))
  const conversions = await readConversions(system, wanted, signal)
  return (sku) => {
    const unit = units.get(sku)
    return unit ? conversions(unit) : NO_CONVERSION
  }
}
