// Blanket orders: purchase agreements that are confirmed, of Odoo's module for them. By the fields of Odoo 18 and later.
import { isUnreadable } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import { divideExactly, toMoney } from '../rows/decimals.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, codeOrNull, currencyOf, dayOf, mapAbout, numberOf } from '../rows/values.ts'
import { readPages } from '../rpc/reader.ts'
import type { AgreementLineRow, AgreementRow } from './entities.ts'
import { lookUp, type Lookup, readLinked } from './movements.ts'
import type { System } from './system.ts'
import { idOf, quantityOf, textOf, unitsPer } from './values.ts'

const AGREEMENT = 'purchase.requisition'
const LINE = 'purchase.requisition.line'

/** Nothing where the module is missing, or says with other fields what a blanket order is. @throws Fatal forbidden */
export async function* readContracts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  if (!(await hasBlanketOrders(system, signal))) return
  const query = {
    model: LINE,
    domain: [
      ['requisition_id.requisition_type', '=', 'blanket_order'],
      ['requisition_id.state', '=', 'confirmed'],
      ['company_id', '=', await system.company(signal)],
    ],
    fields: [
      ...['requisition_id', 'product_id', 'product_uom_id', 'product_qty', 'qty_ordered'],
      'price_unit',
    ],
  }
  const pages = readPages<AgreementLineRow>(system.client, query, signal)
  yield* pagesOf<'drafts', AgreementLineRow>(pages, async (page, rows) => {
    const links = rows.map(({ requisition_id: agreement }) => agreement)
    const fields = ['name', 'vendor_id', 'date_start', 'date_end', 'currency_id']
    const agreements = await readLinked<AgreementRow>(system, AGREEMENT, fields, links, signal)
    const vendors = [...agreements.values()].map(({ vendor_id: vendor }) => vendor)
    const products = rows.map(({ product_id: product }) => product)
    const lookup = await lookUp(system, products, vendors, signal)
    const map = (row: AgreementLineRow) =>
      toContract(row, agreements.get(idOf(row.requisition_id) ?? 0), lookup)
    addRecords(page, rows, map, ({ id }) => `${LINE}(${id})`)
  })
}

const hasBlanketOrders = (system: System, signal: AbortSignal): Promise<boolean> =>
  system.client.fieldsOf(AGREEMENT, signal).then(
    (fields) => fields.has('requisition_type'),
    (error: unknown) => {
      if (isUnreadable(error) && error.code === 'not_found') return false
      throw error
    },
  )

/** Null where nothing of it is left. What drafts of orders call off is not ordered yet. */
function toContract(
  row: AgreementLineRow,
  agreement: AgreementRow | undefined,
  { product: productOf, partner, units }: Lookup,
): RecordOf<'drafts'> | null {
  const product = productOf(row.product_id)
  if (product.sku === null || !agreement) return null
  return mapAbout(product.sku, '', () => {
    const unit = idOf(row.product_uom_id)
    const inUnits = (field: 'product_qty' | 'qty_ordered') =>
      units.convert(quantityOf(row[field], field), unit, product.uom, 'product_uom_id')
    const [agreed, ordered] = [inUnits('product_qty'), inUnits('qty_ordered')]
    if (agreed <= ordered) return null
    const price = quantityOf(row.price_unit, 'price_unit')
    const currency = agreement.currency_id ? agreement.currency_id[1] : null
    return {
      document: codeOf(textOf(agreement.name), 'name'),
      line: String(row.id),
      kind: 'contract',
      sku: codeOf(product.sku, 'product_id'),
      location: '',
      quantity: numberOf(agreed, 'product_qty'),
      ordered: numberOf(ordered, 'qty_ordered'),
      due: dayOf(textOf(agreement.date_end), 'date_end'),
      createdOn: dayOf(textOf(agreement.date_start), 'date_start'),
      supplier: codeOrNull(partner(agreement.vendor_id), 'vendor_id'),
      unitCost:
        price > 0n ? toMoney(divideExactly(price, unitsPer(units, unit, product.uom))) : null,
      currency: currencyOf(currency, 'currency_id'),
    }
  })
}
