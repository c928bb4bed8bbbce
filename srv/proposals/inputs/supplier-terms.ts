import type { SupplierLimits } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { readAs, SupplierTerms } from '../../store/entities.ts'
import { toNumber } from '../../store/numbers.ts'
import type { Origin, PolicyBook } from '../policy/book.ts'
import { nameOf } from '../policy/levels.ts'

/** What an order must come to, and where that is said. */
export interface OrderTerms {
  /** The location whose order it is; empty: one order holds all locations. */
  location: string
  limits: SupplierLimits
  minimumFrom: Origin | null
  freightFrom: Origin | null
}

const VALUES = [
  ...['minimumOrderValue', 'minimumOrderQuantity', 'containerUnits'],
  ...['freeFreightFrom', 'freightCost'],
] as const
type Value = (typeof VALUES)[number]

/** What one rule, or one record of the ERP, says. */
interface Said extends Record<Value, number | null> {
  from: Origin
  ordersByLocation: boolean | null
}

type Row = Record<string, unknown> & { supplier: string; location: string }

const placeOf = (supplier: string, location: string) => `${supplier}\u0000${location}`

/** What suppliers ask of an order: rules of a supplier, and of a supplier at a location, before what the ERP says. */
export class SupplierTermsBook {
  readonly #rules = new Map<string, Said>()
  readonly #erp = new Map<string, Said>()
  readonly #suppliers = new Set<string>()
  readonly #known = new Map<string, OrderTerms | null>()

  /** @param rows of restock.SupplierTerms */
  constructor(policies: PolicyBook, rows: Row[] = []) {
    for (const rule of policies.ofSuppliers()) {
      const said = saidBy({ ...rule }, `policy:${nameOf(rule)}`)
      this.#rules.set(placeOf(rule.supplier, rule.location), said)
      if (fillsOrder(said)) this.#suppliers.add(rule.supplier)
    }
    for (const row of rows) {
      const said = saidBy(row, 'erp')
      this.#erp.set(placeOf(row.supplier, row.location), said)
      if (fillsOrder(said)) this.#suppliers.add(row.supplier)
    }
  }

  static async read(source: number, policies: PolicyBook): Promise<SupplierTermsBook> {
    const rows = await readAs<Row>(SELECT.from(SupplierTerms).where({ source_ID: source }))
    return new SupplierTermsBook(policies, rows)
  }

  /** Whether anything is asked of some supplier's orders. */
  get fillsOrders(): boolean {
    return this.#suppliers.size > 0
  }

  fillsOrder(supplier: string): boolean {
    return this.#suppliers.has(supplier)
  }

  /** The terms of the order that a pair of this supplier is part of; null where nothing is asked of it. */
  of(supplier: string, location: string): OrderTerms | null {
    if (!this.#suppliers.has(supplier)) return null
    const place = placeOf(supplier, location)
    const known = this.#known.get(place)
    if (known !== undefined) return known
    const terms = this.#decide(supplier, location)
    this.#known.set(place, terms)
    return terms
  }

  #decide(supplier: string, location: string): OrderTerms | null {
    const [own, all] = [placeOf(supplier, location), placeOf(supplier, '')]
    const common = [this.#rules.get(all), this.#erp.get(all)]
    const hasOwn = [this.#rules.get(own), this.#erp.get(own)].some(
      (said) => said && fillsOrder(said),
    )
    const byLocation = common.find((said) => said && said.ordersByLocation !== null)
    const isOwn = hasOwn || byLocation?.ordersByLocation === true
    const said = (
      isOwn
        ? [this.#rules.get(own), this.#rules.get(all), this.#erp.get(own), this.#erp.get(all)]
        : common
    ).filter((each) => each !== undefined)
    if (!said.some(fillsOrder)) return null
    const first = (name: Value) => said.find((each) => each[name] !== null)
    const value = (name: Value) => first(name)?.[name] ?? null
    const freight = first('freeFreightFrom')
    const minimum =
      first('minimumOrderValue') ?? first('minimumOrderQuantity') ?? first('containerUnits')
    return {
      location: isOwn ? location : '',
      limits: {
        minimumValue: value('minimumOrderValue'),
        minimumQuantity: value('minimumOrderQuantity'),
        containerUnits: value('containerUnits'),
        freeFreight: freight
          ? { from: freight.freeFreightFrom!, cost: freight.freightCost ?? 0 }
          : null,
        coverDays: settings().supplierMinimumCoverDays,
      },
      minimumFrom: minimum?.from ?? null,
      freightFrom: freight?.from ?? null,
    }
  }
}

const fillsOrder = (said: Said) =>
  said.minimumOrderValue !== null ||
  said.minimumOrderQuantity !== null ||
  said.containerUnits !== null ||
  said.freeFreightFrom !== null

function saidBy(values: Record<string, unknown>, from: Origin): Said {
  const numbers = Object.fromEntries(VALUES.map((name) => [name, toNumber(values[name])]))
  const { ordersByLocation } = values as { ordersByLocation?: boolean | null }
  return {
    ...(numbers as Record<Value, number | null>),
    from,
    ordersByLocation: ordersByLocation ?? null,
  }
}
