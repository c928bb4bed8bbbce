// Purchase requests, and purchases that are not processed yet: Tryton has no moves of either.
import { Fatal } from '../errors.ts'
import { divideExactly, type Exact, multiplyByRatio, ONE } from '../rows/decimals.ts'
import { names } from '../rows/names.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, codeOrNull, mapAbout, numberOf } from '../rows/values.ts'
import type { RecordOf } from '../records.ts'
import {
  type Domain,
  type ModelPage,
  type ModelQuery,
  type ModelRow,
  readPages,
} from '../rpc/reader.ts'
import type { DraftLineRow, DraftRow, RequestRow } from './entities.ts'
import type { System } from './system.ts'
import { factorOf } from './to-planning.ts'
import type { Lookup } from './to-movements.ts'
import { dateOf, quantityOf } from './values.ts'

const OF_PRODUCT = names(
  'product quantity create_date unit.factor unit.rate product.default_uom.factor product.default_uom.rate',
)
const REQUESTS: ModelQuery = {
  model: 'purchase.request',
  domain: [
    ['state', '=', 'draft'],
    ['purchase_line', '=', null],
  ],
  fields: [...OF_PRODUCT, ...names('warehouse supply_date party.code')],
}
const LINES: ModelQuery = {
  model: 'purchase.line',
  domain: [
    ['purchase.state', 'in', ['draft', 'quotation', 'confirmed']],
    ['product', '!=', null],
  ],
  fields: [
    ...OF_PRODUCT,
    ...names(
      `delivery_date purchase.number purchase.reference purchase.warehouse purchase.party.code`,
    ),
  ],
}

/** Requests first: one that becomes a purchase meanwhile is in both, and never in neither. */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const company = await system.company(signal)
  const ofCompany = (query: ModelQuery, field: string) => ({
    ...query,
    domain: [[field, '=', company], ...query.domain] as Domain[],
  })
  const [places, catalogue] = [await system.places(signal), await system.catalogue(signal)]
  const pagesFrom = <Row extends DraftRow & ModelRow>(
    found: AsyncGenerator<ModelPage<Row>>,
    model: string,
    map: (row: Row, lookup: Lookup) => RecordOf<'drafts'> | null,
  ) =>
    pagesOf<'drafts', Row>(found, async (page, rows) => {
      addRecords(
        page,
        rows,
        (row) => map(row, { places, catalogue }),
        ({ id }) => `${model}(${id})`,
      )
    })
  const requests = readPages<RequestRow>(system.client, ofCompany(REQUESTS, 'company'), signal)
  let done = 0
  try {
    for await (const page of pagesFrom(requests, 'purchase.request', ofRequest)) {
      done = page.done
      yield page
    }
  } catch (error) {
    // Without the module of purchase requests there are none.
    if (!(error instanceof Fatal) || error.code !== 'not_found') throw error
  }
  const lines = readPages<DraftLineRow>(system.client, ofCompany(LINES, 'purchase.company'), signal)
  for await (const page of pagesFrom(lines, 'purchase.line', ofLine))
    yield { ...page, done: done + page.done }
}

const ofRequest = (row: RequestRow, lookup: Lookup) =>
  draftOf(row, row.warehouse, lookup, (base) => ({
    document: `purchase.request,${row.id}`,
    line: '1',
    kind: 'requisition' as const,
    ...base,
    due: dateOf(row.supply_date, 'supply_date'),
    supplier: codeOrNull(row['party.']?.code, 'party.code'),
  }))

function ofLine(row: DraftLineRow, lookup: Lookup) {
  const purchase = row['purchase.']
  return draftOf(row, purchase?.warehouse ?? null, lookup, (base) => ({
    // A purchase has a number from its quotation on.
    document:
      codeOrNull(purchase?.number, 'purchase.number') ?? `purchase.purchase,${purchase?.id}`,
    line: String(row.id),
    kind: 'rfq' as const,
    ...base,
    due: dateOf(row.delivery_date, 'delivery_date'),
    supplier: codeOrNull(purchase?.['party.']?.code, 'purchase.party.code'),
    reference: codeOrNull(purchase?.reference, 'purchase.reference'),
  }))
}

type Base = Pick<RecordOf<'drafts'>, 'sku' | 'location' | 'quantity' | 'createdOn'>

/** Null for another warehouse, or another product than goods. */
function draftOf(
  row: DraftRow,
  warehouse: number | null,
  { places, catalogue }: Lookup,
  compose: (base: Base) => RecordOf<'drafts'>,
): RecordOf<'drafts'> | null {
  const location = warehouse === null ? null : places.warehouseOf(warehouse)
  const sku = row.product === null ? null : catalogue.skuOf(row.product)
  if (location === null || sku === null) return null
  return mapAbout(sku, location, () => {
    const quantity = inBaseUnits(row)
    if (quantity <= 0n) return null
    return compose({
      ...{ sku: codeOf(sku, 'product.code'), location },
      quantity: numberOf(quantity, 'quantity'),
      createdOn: dateOf(row.create_date, 'create_date'),
    })
  })
}

function inBaseUnits({ quantity, 'unit.': unit, 'product.': product }: DraftRow): Exact {
  const units = quantityOf(quantity, 'quantity')
  const base = product?.['default_uom.']
  if (!unit || !base) return units
  return multiplyByRatio(units, divideExactly(factorOf(unit), factorOf(base)), ONE)
}
