// At which terms a product is bought: its first supplier, one of the product itself before one of its template.
import { readRowsOf } from '../rpc/reader.ts'
import type { PriceRow, ProductRow, ProductSupplierRow } from './entities.ts'
import type { System } from './system.ts'

export interface SupplierTerms {
  supplier: ProductSupplierRow
  /** Lowest quantity first. */
  prices: PriceRow[]
}

const SUPPLIERS = {
  model: 'purchase.product_supplier',
  fields: [
    ...['template', 'product', 'sequence', 'code', 'lead_time', 'currency.code'],
    ...['party.code', 'party.name', 'party.supplier_lead_time'],
  ],
}

const PRICES = {
  model: 'purchase.product_supplier.price',
  domain: [],
  fields: ['product_supplier', 'quantity', 'unit_price'],
}

/** The terms of each product, by its number. */
export async function readTerms(
  system: System,
  products: readonly ProductRow[],
  signal: AbortSignal,
): Promise<Map<number, SupplierTerms>> {
  const { client } = system
  const domain = [
    ['active', '=', true],
    client.anyOf([['company', '=', await system.company(signal)]], [['company', '=', null]]),
  ]
  const templates = products.map(({ template }) => template)
  const found = await readRowsOf<ProductSupplierRow>(
    client,
    { ...SUPPLIERS, domain },
    'template',
    templates,
    signal,
  )
  const byTemplate = Map.groupBy(found, ({ template }) => template)
  const first = new Map(
    products.flatMap(({ id, template }) => {
      const own = (byTemplate.get(template) ?? []).filter(
        ({ product }) => product === null || product === id,
      )
      const [best] = own.sort(byRank)
      return best ? [[id, best] as const] : []
    }),
  )
  const chosen = [...first.values()].map(({ id }) => id)
  const prices = await readRowsOf<PriceRow>(client, PRICES, 'product_supplier', chosen, signal)
  const bySupplier = Map.groupBy(prices, (price) => price.product_supplier)
  const termsOf = (supplier: ProductSupplierRow): SupplierTerms => ({
    supplier,
    prices: (bySupplier.get(supplier.id) ?? []).sort(
      (a, b) => Number(a.quantity) - Number(b.quantity) || a.id - b.id,
    ),
  })
  return new Map([...first].map(([product, supplier]) => [product, termsOf(supplier)]))
}

/** As Tryton orders them: those of the product first, then by sequence, where none is last. */
const byRank = (a: ProductSupplierRow, b: ProductSupplierRow) =>
  Number(a.product === null) - Number(b.product === null) ||
  (a.sequence ?? Infinity) - (b.sequence ?? Infinity) ||
  a.id - b.id
