import { byText } from '../../../../engine/index.ts'
import type { SupplierLimits } from '../../../../engine/proposal/index.ts'
import { PriceBreaks, readAs, SupplierTerms } from '../../../base/database/entities.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { Origin, PolicyBook, PolicySubject } from '../policy/planning.ts'
import { nameOf, type PriceBreakOfRule } from '../policy/values.ts'
import { isOneOf } from '../to-proposal.ts'

/** The terms of one order, and where they come from. */
export interface OrderTerms {
  /** The location of the order; empty for the common order of all locations. */
  location: string
  limits: SupplierLimits
  minimumFrom: Origin | null
  freightFrom: Origin | null
  orderCostFrom: Origin | null
}

const VALUES = [
  ...['minimumOrderValue', 'minimumOrderQuantity', 'containerUnits'],
  ...['freeFreightFrom', 'freightCost', 'orderCost'],
] as const
type Value = (typeof VALUES)[number]

/** The terms of one ordering rule or one record of the ERP. */
interface TermsEntry extends Record<Value, number | null> {
  from: Origin
  ordersByLocation: boolean | null
}

/** The terms of a rule or of the ERP, whose amounts are numbers or texts. */
interface TermsRow extends Partial<Record<Value, unknown>> {
  supplier: string
  location: string
  ordersByLocation?: boolean | null
}

const orderKey = (supplier: string, location: string) => `${supplier}\u0000${location}`

/** The terms of suppliers for whole orders. Those of ordering rules win over the ERP's. */
export class SupplierTermsBook {
  readonly #rules = new Map<string, TermsEntry>()
  readonly #erp = new Map<string, TermsEntry>()
  /** Suppliers with terms, and their locations with terms of their own. */
  readonly #suppliers = new Map<string, Set<string>>()
  readonly #known = new Map<string, OrderTerms | null>()

  /** @param rows of restock.SupplierTerms */
  constructor(policies: PolicyBook, rows: TermsRow[] = []) {
    for (const rule of policies.ofSuppliers()) {
      this.#add(this.#rules, rule, toEntry(rule, `policy:${nameOf(rule)}`))
    }
    for (const row of rows) this.#add(this.#erp, row, toEntry(row, 'erp'))
  }

  /** @param suppliers limits the result to these; absent for all */
  static async read(
    source: number,
    policies: PolicyBook,
    suppliers?: string[],
  ): Promise<SupplierTermsBook> {
    const rows = await readAs<TermsRow>(
      SELECT.from(SupplierTerms).where({
        source_ID: source,
        ...(suppliers && { supplier: { in: suppliers } }),
      }),
    )
    return new SupplierTermsBook(policies, rows)
  }

  #add(entries: Map<string, TermsEntry>, { supplier, location }: TermsRow, terms: TermsEntry) {
    entries.set(orderKey(supplier, location), terms)
    if (!fillsOrder(terms)) return
    const locations = this.#suppliers.get(supplier) ?? new Set<string>()
    this.#suppliers.set(supplier, locations)
    if (location) locations.add(location)
  }

  /** Whether any supplier has terms for a whole order. */
  get fillsOrders(): boolean {
    return this.#suppliers.size > 0 || settings().orderCost > 0
  }

  fillsOrder(supplier: string): boolean {
    return this.#suppliers.has(supplier) || settings().orderCost > 0
  }

  /** The terms of the order that a pair of this supplier is part of; null where nothing is asked of it. */
  of(supplier: string, location: string): OrderTerms | null {
    if (!this.fillsOrder(supplier)) return null
    const key = orderKey(supplier, location)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const terms = this.#decide(supplier, location)
    this.#known.set(key, terms)
    return terms
  }

  /** The terms of all orders of a supplier: of locations with their own, and of the order that all others share. */
  allOf(supplier: string): OrderTerms[] {
    const locations = [...(this.#suppliers.get(supplier) ?? [])].sort(byText)
    return [...locations, ''].map((each) => this.of(supplier, each)).filter((each) => each !== null)
  }

  /** Whether no order of a supplier holds several locations. */
  isByLocation(supplier: string): boolean {
    const all = orderKey(supplier, '')
    const first = [this.#rules, this.#erp]
      .map((entries) => entries.get(all)?.ordersByLocation)
      .find((each) => typeof each === 'boolean')
    return first ?? false
  }

  /** @param location empty: of an order of a location without terms of its own */
  #decide(supplier: string, location: string): OrderTerms | null {
    const hasOwn = this.#suppliers.get(supplier)?.has(location) ?? false
    const keys = [...(hasOwn ? [orderKey(supplier, location)] : []), orderKey(supplier, '')]
    const entries = [this.#rules, this.#erp]
      .flatMap((each) => keys.map((key) => each.get(key)))
      .filter((each) => each !== undefined)
    const configured = settings().orderCost
    if (!entries.some(fillsOrder) && !configured) return null
    const first = (name: Value) => entries.find((each) => each[name] !== null)
    const value = (name: Value) => first(name)?.[name] ?? null
    const freight = first('freeFreightFrom')
    const minimum =
      first('minimumOrderValue') ?? first('minimumOrderQuantity') ?? first('containerUnits')
    return {
      location: hasOwn || this.isByLocation(supplier) ? location : '',
      limits: {
        minimumValue: value('minimumOrderValue'),
        minimumQuantity: value('minimumOrderQuantity'),
        containerUnits: value('containerUnits'),
        freeFreight: freight
          ? { from: freight.freeFreightFrom!, cost: freight.freightCost! }
          : null,
        orderCost: value('orderCost') ?? configured,
        coverDays: settings().supplierMinimumCoverDays,
      },
      minimumFrom: minimum?.from ?? null,
      freightFrom: freight?.from ?? null,
      orderCostFrom: first('orderCost')?.from ?? (configured ? 'configured' : null),
    }
  }
}

const fillsOrder = (entry: TermsEntry) =>
  entry.minimumOrderValue !== null ||
  entry.minimumOrderQuantity !== null ||
  entry.containerUnits !== null ||
  entry.freeFreightFrom !== null ||
  entry.orderCost !== null

function toEntry({ ordersByLocation = null, ...terms }: TermsRow, from: Origin): TermsEntry {
  const numbers = Object.fromEntries(VALUES.map((name) => [name, toNumber(terms[name])]))
  return { ...(numbers as Record<Value, number | null>), from, ordersByLocation }
}

/** What the ERP says of prices by quantity. */
export interface PriceBreakBook {
  /** Ascending; null where it says nothing. */
  of(pair: PolicySubject): PriceBreakOfRule[] | null
}

interface BreakRow extends PriceBreakOfRule {
  sku: string
  location: string
  supplier: string
}

const NONE: PriceBreakBook = { of: () => null }

/** Reads the prices by quantity of a source, or of the SKUs of some pairs, once for all of them. */
export async function readPriceBreaks(
  source: number,
  pairs?: readonly PolicySubject[],
): Promise<PriceBreakBook> {
  const rows = await readAs<BreakRow>(
    SELECT.from(PriceBreaks)
      .columns('sku', 'location', 'supplier', 'fromQuantity', 'unitCost')
      .where({ source_ID: source, ...(pairs && { sku: isOneOf(pairs, ({ sku }) => sku) }) })
      .orderBy('fromQuantity'),
  )
  if (!rows.length) return NONE
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return { of: (pair) => mostSpecific(bySku.get(pair.sku) ?? [], pair) }
}

/** Those of its location before those of all, then those of its supplier. */
function mostSpecific(rows: BreakRow[], { location, supplier }: PolicySubject) {
  const own = rows.filter(
    (row) =>
      (row.location === '' || row.location === location) &&
      (row.supplier === '' || row.supplier === supplier),
  )
  const rank = (row: BreakRow) => (row.location ? 2 : 0) + (row.supplier ? 1 : 0)
  const first = Math.max(...own.map(rank))
  const found = own.filter((row) => rank(row) === first)
  return found.length ? found.map(toBreak) : null
}

const toBreak = ({ fromQuantity, unitCost }: BreakRow): PriceBreakOfRule => ({
  fromQuantity: Number(fromQuantity),
  unitCost: String(unitCost),
})
