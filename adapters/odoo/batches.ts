// Own stock by lot, with the day on which the lot expires: Odoo's module of expiration dates has it.
import { Fatal } from '../errors.ts'
import type { Exact } from '../rows/decimals.ts'
import { addRecords, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
import { readRows } from '../rpc/reader.ts'
import type { LotQuantRow, LotRow } from './entities.ts'
import { readLinked } from './movements.ts'
import { quantDomain } from './places.ts'
import type { System } from './system.ts'
import { idOf, quantityOf, textOf } from './values.ts'

const EXPIRES = 'expiration_date'

interface Lot {
  sku: string
  location: string
  row: LotRow
  exact: Exact
}

/**
 * All lots that expire, each time: Odoo merges and deletes quants.
 * @throws Fatal not_found where no lot expires in this Odoo
 */
export async function* readBatches(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'batches'>> {
  const known = await system.client.fieldsOf('stock.lot', signal)
  if (!known.has(EXPIRES)) {
    const message =
      'Lots of this Odoo have no expiration date: its module of expiration dates is missing.'
    throw new Fatal('not_found', message, 'stock.lot')
  }
  const domain = [...(await quantDomain(system, signal)), [`lot_id.${EXPIRES}`, '!=', false]]
  const fields = ['product_id', 'location_id', 'quantity', 'lot_id']
  const query = { model: 'stock.quant', domain, fields }
  const quants = await readRows<LotQuantRow>(system.client, query, signal)
  const links = quants.map(({ lot_id: lot }) => lot)
  const lots = await readLinked<LotRow>(system, 'stock.lot', ['name', EXPIRES], links, signal)
  const { warehouseOf } = await system.places(signal)
  const catalogue = await system.catalogue(signal)
  const sums = new Map<string, Lot>()
  for (const { product_id, location_id, lot_id, quantity } of quants) {
    const [product, location] = [idOf(product_id), warehouseOf(idOf(location_id))]
    const sku = product === null ? null : catalogue.skuOf(product)
    const row = lots.get(idOf(lot_id) ?? 0)
    if (sku === null || location === null || !row) continue
    const key = `${row.id}\n${location}`
    const lot = sums.get(key) ?? { sku, location, row, exact: 0n }
    lot.exact += quantityOf(quantity, 'quantity')
    sums.set(key, lot)
  }
  const done = quants.length
  const page: SnapshotPage<'batches'> = { records: [], quarantined: [], done, total: done }
  addRecords(
    page,
    [...sums.values()],
    ({ sku, location, row, exact }) =>
      mapAbout(sku, location, () => {
        const expiresOn = system.dayOf(row.expiration_date, EXPIRES)
        if (expiresOn === null || exact <= 0n) return null
        return {
          ...{ sku: codeOf(sku, 'product_id'), location },
          batch: codeOf(textOf(row.name), 'name'),
          ...{ expiresOn, quantity: numberOf(exact, 'quantity') },
        }
      }),
    ({ row }) => `stock.lot(${row.id})`,
    ({ row }) => row,
  )
  yield page
}
