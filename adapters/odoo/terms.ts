// At which terms a product is bought: the price list of its first vendor that is valid today.
import { dayText } from '../rows/days.ts'
import { readRowsOf } from '../rpc/reader.ts'
import type { ProductRow, SupplierInfoRow } from './entities.ts'
import type { System } from './system.ts'
import { idOf } from './values.ts'

export interface VendorTerms {
  partner: number
  /** Lines of this vendor, lowest quantity first. */
  lines: SupplierInfoRow[]
}

export const SUPPLIER_INFOS = 'product.supplierinfo'

const FIELDS = [
  ...['partner_id', 'name', 'product_tmpl_id', 'product_id', 'sequence', 'min_qty', 'price'],
  ...['discount', 'delay', 'currency_id', 'date_start', 'date_end', 'product_uom'],
  ...['product_uom_id', 'product_code'],
]

/** The terms of each product, by its number. */
export async function readTerms(
  system: System,
  products: readonly ProductRow[],
  signal: AbortSignal,
): Promise<Map<number, VendorTerms>> {
  const { client } = system
  const domain = [
    client.anyOf([['company_id', '=', false]], [['company_id', '=', await system.company(signal)]]),
  ]
  const fields = await vendorFields(system, signal)
  const query = { model: SUPPLIER_INFOS, domain, fields }
  const templates = products.map(({ product_tmpl_id: template }) => idOf(template) ?? 0)
  const field = 'product_tmpl_id'
  const rows = await readRowsOf<SupplierInfoRow>(client, query, field, templates, signal)
  const today = dayText(await client.now(signal))
  const byTemplate = Map.groupBy(
    rows.filter((row) => isValid(row, today)),
    (row) => idOf(row.product_tmpl_id),
  )
  return new Map(
    products.flatMap(({ id, product_tmpl_id: template }) => {
      const own = (byTemplate.get(idOf(template)) ?? []).filter(
        ({ product_id: product }) => !product || product[0] === id,
      )
      const [first] = own.sort(byRank)
      const partner = first && partnerOf(first)
      if (!partner) return []
      const lines = cheapestOf(own.filter((row) => partnerOf(row) === partner))
      return [[id, { partner, lines }] as const]
    }),
  )
}

/** The vendor's field is called `name` until Odoo 15, where `partner_id` is not there. */
export async function vendorFields(system: System, signal: AbortSignal): Promise<string[]> {
  const found = await system.client.fieldsOf(SUPPLIER_INFOS, signal)
  const other = found.has('partner_id') ? 'name' : 'partner_id'
  return FIELDS.filter((field) => found.has(field) && field !== other)
}

export const partnerOf = ({ partner_id: partner, name }: SupplierInfoRow): number | null =>
  idOf(partner ?? name)

const isValid = ({ date_start: start, date_end: end }: SupplierInfoRow, today: string) =>
  (!start || start <= today) && (!end || end >= today)

/** As Odoo chooses for the smallest order that a vendor takes: by sequence, and of equal ones the cheapest. */
const byRank = (a: SupplierInfoRow, b: SupplierInfoRow) =>
  (a.sequence || 0) - (b.sequence || 0) || byQuantity(a, b)

const byQuantity = (a: SupplierInfoRow, b: SupplierInfoRow) =>
  (a.min_qty || 0) - (b.min_qty || 0) || netPriceOf(a) - netPriceOf(b) || a.id - b.id

const netPriceOf = ({ price, discount }: SupplierInfoRow) =>
  (price || 0) * (1 - (discount || 0) / 100)

/** Of the lines of a vendor that are valid for a quantity Odoo takes the cheapest: those that never are it are left out. */
function cheapestOf(lines: readonly SupplierInfoRow[]): SupplierInfoRow[] {
  let least = Infinity
  return [...lines].sort(byQuantity).filter((row) => {
    const isCheaper = netPriceOf(row) < least
    least = Math.min(least, netPriceOf(row))
    return isCheaper
  })
}
