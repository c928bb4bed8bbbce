// At which terms a product is bought: those that Tryton's own purchase takes.
import { readRowsOf } from '../rpc/reader.ts'
import type { PriceRow, ProductRow, ProductSupplierRow } from './entities.ts'
import type { System } from './system.ts'

export interface SupplierTerms {
  supplier: ProductSupplierRow
  /** What a unit costs from a quantity on, the lowest quantity first. */
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
  fields: ['product_supplier', 'sequence', 'quantity', 'unit_price'],
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
      const ranked = own.sort(byRank)
      const best = ranked.find(hasLeadTime) ?? ranked[0]
      return best ? [[id, best] as const] : []
    }),
  )
  const chosen = [...first.values()].map(({ id }) => id)
  const prices = await readRowsOf<PriceRow>(client, PRICES, 'product_supplier', chosen, signal)
  const bySupplier = Map.groupBy(prices, (price) => price.product_supplier)
  const termsOf = (supplier: ProductSupplierRow): SupplierTerms => ({
    supplier,
    prices: pricesOf(bySupplier.get(supplier.id) ?? []),
  })
  return new Map([...first].map(([product, supplier]) => [product, termsOf(supplier)]))
}

interface Ranked {
  id: number
  sequence: number | null
}

/** What has no sequence comes first. */
const rankOf = ({ sequence }: Ranked) => sequence ?? -(2 ** 31)

/** Tryton sorts by sequence. */
const bySequence = (a: Ranked, b: Ranked) => rankOf(a) - rankOf(b) || a.id - b.id

/** Those of the product come before those of its template. */
const byRank = (a: ProductSupplierRow, b: ProductSupplierRow) =>
  Number(a.product === null) - Number(b.product === null) || bySequence(a, b)

/** Tryton asks for nothing of a supplier of whom it does not know when goods come, as long as there is another. */
const hasLeadTime = ({ lead_time: own, 'party.': party }: ProductSupplierRow) =>
  (own ?? party?.supplier_lead_time ?? null) !== null

/** From each quantity on the last row that matches, in the order of their sequence. */
export function pricesOf(rows: readonly PriceRow[]): PriceRow[] {
  const ordered = [...rows].sort(bySequence)
  const quantities = [...new Set(rows.map(({ quantity }) => Number(quantity)))]
  return quantities
    .sort((a, b) => a - b)
    .map((quantity) => {
      const valid = ordered.findLast((row) => Number(row.quantity) <= quantity)!
      return { ...valid, quantity }
    })
    .filter(({ id }, at, all) => id !== all[at - 1]?.id)
}
