// What a unit costs in orders from a quantity on, of the vendor whose terms count.
import type { RecordOf } from '../records.ts'
import { readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
import { multiplyByRatio, ONE } from '../rows/decimals.ts'
import { addRecord, type SnapshotPage } from '../rows/pages.ts'
import type { ProductRow, SupplierInfoRow } from './entities.ts'
import { PRODUCT_TIMES, productQuery } from './pairs.ts'
import type { System } from './system.ts'
import { readTerms, SUPPLIER_INFOS } from './terms.ts'
import { orderUnit, priceOf } from './to-planning.ts'
import { quantityOf, type Units } from './values.ts'
export const priceBreakStream = (system: System) =>
  watchedStream(
    'priceBreaks',
    system.client,
    [
      { model: SUPPLIER_INFOS, changed: ['write_date'] },
      { model: 'product.product', changed: PRODUCT_TIMES },
    ],
    (signal) => readPriceBreaks(system, signal),
  )

async function* readPriceBreaks(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'priceBreaks'>> {
  const query = await productQuery(system, signal)
  const units = await system.units(signal)
  let done = 0
  for await (const { rows } of readPages<ProductRow>(system.client, query, signal)) {
    const terms = await readTerms(system, rows, signal)
    const suppliers = await system.partners(
      [...terms.values()].map(({ partner }) => partner),
      signal,
    )
    done += rows.length
    const page: SnapshotPage<'priceBreaks'> = { records: [], quarantined: [], done, total: null }
    for (const row of rows) {
      const own = terms.get(row.id)
      const sku = system.skuOf(row)
      if (!own || sku === null) continue
      const supplier = suppliers.get(own.partner)
      // The first line is the unit cost of the planning record; of two for one quantity the first counts.
      const further = own.lines.filter(
        ({ min_qty: from }, at) => from !== own.lines[at - 1]?.min_qty,
      )
      for (const line of further.slice(1)) {
        addRecord(
          page,
          line,
          () => toPriceBreak(row, sku, supplier, line, units),
          ({ id }) => `${SUPPLIER_INFOS}(${id})`,
        )
      }
    }
    yield page
  }
}

const toPriceBreak = (
  row: ProductRow,
  sku: string,
  supplier: string | undefined,
  line: SupplierInfoRow,
  units: Units,
): RecordOf<'priceBreaks'> | null =>
  mapAbout(sku, '', () => {
    const factor = orderUnit(row, line, units)
    const from = multiplyByRatio(quantityOf(line.min_qty, 'min_qty'), factor, ONE)
    const unitCost = priceOf(line, factor)
    if (from <= 0n || unitCost === null) return null
    return {
      ...{ sku, location: '', supplier: codeOf(supplier, 'ref') },
      ...{ fromQuantity: numberOf(from, 'min_qty'), unitCost },
    }
  })
