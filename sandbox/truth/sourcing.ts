// Lead time, lots, supplier and cost of a pair.
import { readRows } from './rows.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'

export interface Sourcing {
  unit: string
  leadTimeDays: number | null
  moq: number | null
  lotSize: number
  /** Null without a standard info record that is neither deleted nor blocked. */
  supplier: string | null
  /** Cost per base unit, rounded to four places. */
  unitCost: string | null
  currency: string | null
  purchasable: boolean
}

type Sets = (name: string) => EntitySet

export class SourcingTruth {
  readonly #products = new Map<string, { isFlagged: boolean; orderUnit: string }>()
  readonly #flaggedPlants = new Set<string>()
  readonly #factors = new Map<string, number>()
  readonly #records = new Map<string, Row>()
  readonly #plantData = new Map<string, Row>()

  constructor(set: Sets) {
    for (const row of readRows(set('A_Product'))) {
      this.#products.set(String(row.Product), {
        isFlagged: row.IsMarkedForDeletion === true,
        orderUnit: String(row.PurchaseOrderQuantityUnit),
      })
    }
    for (const row of readRows(set('A_ProductPlant'))) {
      if (row.IsMarkedForDeletion) this.#flaggedPlants.add(`${row.Product}\n${row.Plant}`)
    }
    for (const row of readRows(set('A_ProductUnitsOfMeasure'))) {
      const factor = Number(row.QuantityNumerator) / Number(row.QuantityDenominator)
      this.#factors.set(`${row.Product}\n${row.AlternativeUnit}`, factor)
    }
    this.#readRecords(set)
  }

  #readRecords(set: Sets): void {
    const blocked = new Set<unknown>()
    for (const row of readRows(set('A_Supplier'))) {
      if (row.PurchasingIsBlocked || row.DeletionIndicator) blocked.add(row.Supplier)
    }
    for (const row of readRows(set('A_SupplierPurchasingOrg'))) {
      if (row.PurchasingIsBlockedForSupplier) blocked.add(row.Supplier)
    }
    for (const row of readRows(set('A_PurchasingInfoRecord'))) {
      const usable = row.IsRegularSupplier && !row.IsDeleted && !blocked.has(row.Supplier)
      if (usable) this.#records.set(String(row.Material), row)
    }
    for (const row of readRows(set('A_PurgInfoRecdOrgPlantData'))) {
      if (row.IsMarkedForDeletion || row.PurchasingInfoRecordCategory !== '0') continue
      this.#plantData.set(`${row.PurchasingInfoRecord}\n${row.Plant}`, row)
    }
  }

  of(sku: string, location: string, planning: Row): Sourcing {
    const record = this.#records.get(sku)
    const number = String(record?.PurchasingInfoRecord)
    const forPlant = this.#plantData.get(`${number}\n${location}`)
    const forAll = this.#plantData.get(`${number}\n`)
    const data = forPlant ?? forAll
    // An info record without data for this plant cannot supply it.
    const source = record && data ? record : null
    const product = this.#products.get(sku)
    const ownFactor = this.#factors.get(`${sku}\n${product?.orderUnit ?? ''}`) ?? 1
    const factor = source ? ratio(source) : ownFactor
    const planned = [forPlant, forAll]
      .map((row) => Number(row?.MaterialPlannedDeliveryDurn ?? 0))
      .concat(Number(planning.PlannedDeliveryDurationInDays))
      .find((days) => days > 0)
    const minimum = Number(data?.MinimumPurchaseOrderQuantity ?? 0) * factor
    const moq = Math.max(minimum, Number(planning.MinimumLotSizeQuantity))
    const isFlagged = product?.isFlagged || this.#flaggedPlants.has(`${sku}\n${location}`)
    const type = String(planning.ProcurementType)
    return {
      unit: String(planning.BaseUnit),
      leadTimeDays: planned === undefined ? null : planned + receiptDays(planning),
      moq: moq > 0 ? moq : null,
      lotSize: Number(planning.LotSizeRoundingQuantity) || factor,
      supplier: source ? String(source.Supplier) : null,
      unitCost: source && data ? unitCost(source, data) : null,
      currency: source && data ? String(data.Currency) : null,
      purchasable: !isFlagged && type !== 'E' && (type !== 'X' || source !== null),
    }
  }
}

const ratio = (record: Row) =>
  Number(record.OrderItemQtyToBaseQtyNmrtr) / Number(record.OrderItemQtyToBaseQtyDnmntr)

/** Five work days are seven calendar days. */
const receiptDays = (planning: Row) => Math.ceil((Number(planning.GoodsReceiptDuration) * 7) / 5)

/**
 * Cost per base unit; the price is for MaterialPriceUnitQty price units, which are base or order units. It is rounded
 * once, from whole numbers: what lies halfway between two in decimals does not in binary fractions.
 */
function unitCost(record: Row, data: Row): string {
  const inBase = data.PurchaseOrderPriceUnit === record.BaseUnit
  const [above, below] = inBase
    ? [1, 1]
    : [Number(record.OrderItemQtyToBaseQtyDnmntr), Number(record.OrderItemQtyToBaseQtyNmrtr)]
  const thousandths = Math.round(Number(data.NetPriceAmount) * 1000)
  const units = Number(data.MaterialPriceUnitQty) * below
  return (Math.round((thousandths * above * 10) / units) / 10_000).toFixed(4)
}
