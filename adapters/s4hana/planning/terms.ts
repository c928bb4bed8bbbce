// A supplier's terms, from a row of an info record for a plant or for all plants.
import { divideExactly, type Exact, ONE } from '../../rows/decimals.ts'
import { BadValue, codeOf, codeOrNull, currencyOf, unitsOf, wholeOf } from '../../rows/values.ts'
import type { InfoRecordPlantRow, InfoRecordRow } from '../entities.ts'
import { type Conversion, conversionOf, inBase, NO_CONVERSION } from '../units.ts'

/** The part of an info record that is the same for all plants. */
export interface InfoRecord {
  sku: string
  supplier: string
  baseUnit: string
  orderUnit: string
  conversion: Conversion
  supplierSku: string | null
}

/** @throws BadValue `unit_conversion` where order units cannot be converted to base units */
export function toInfoRecord(row: InfoRecordRow): InfoRecord {
  const baseUnit = row.BaseUnit ?? ''
  const orderUnit = row.PurgDocOrderQuantityUnit || baseUnit
  const conversion =
    orderUnit === baseUnit
      ? NO_CONVERSION
      : conversionOf(row.OrderItemQtyToBaseQtyNmrtr, row.OrderItemQtyToBaseQtyDnmntr)
  if (!conversion) {
    const rule = `has no conversion from ${orderUnit} to ${baseUnit}`
    throw new BadValue('PurgDocOrderQuantityUnit', rule, 'unit_conversion')
  }
  const sku = codeOf(row.Material, 'Material')
  const supplierSku = codeOrNull(row.SupplierMaterialNumber, 'SupplierMaterialNumber')
  const supplier = codeOf(row.Supplier, 'Supplier')
  return { sku, supplier, supplierSku, baseUnit, orderUnit, conversion }
}

/** @throws BadValue */
export function toTerms(record: InfoRecord, row: InfoRecordPlantRow): PurchasingTerms {
  const { supplier, supplierSku, orderUnit, conversion } = record
  const minimum = unitsOf(row.MinimumPurchaseOrderQuantity, 'MinimumPurchaseOrderQuantity')
  return {
    supplier,
    supplierSku,
    orderUnit: orderUnit || null,
    orderPrice: orderPriceOf(record, row),
    conversion,
    deliveryDays: wholeOf(row.MaterialPlannedDeliveryDurn, 'MaterialPlannedDeliveryDurn'),
    minimum: inBase(minimum, conversion),
    cost: costOf(record, row),
    currency: currencyOf(row.Currency, 'Currency'),
  }
}

/** Null for prices in other units than base or order units: SAP does not document their ratios well. */
function costOf(record: InfoRecord, row: InfoRecordPlantRow): Exact | null {
  const price = unitsOf(row.NetPriceAmount, 'NetPriceAmount')
  const per = unitsOf(row.MaterialPriceUnitQty, 'MaterialPriceUnitQty') || ONE
  const unit = row.PurchaseOrderPriceUnit || record.orderUnit
  if (price === 0n) return null
  if (unit === record.baseUnit) return divideExactly(price, per)
  if (unit !== record.orderUnit) return null
  const { numerator, denominator } = record.conversion
  return divideExactly(price * denominator, per * numerator)
}

/** Null where the price is not for order units. */
function orderPriceOf(record: InfoRecord, row: InfoRecordPlantRow): Exact | null {
  const price = unitsOf(row.NetPriceAmount, 'NetPriceAmount')
  const per = unitsOf(row.MaterialPriceUnitQty, 'MaterialPriceUnitQty') || ONE
  const isOfOrderUnit = (row.PurchaseOrderPriceUnit || record.orderUnit) === record.orderUnit
  return price > 0n && isOfOrderUnit ? divideExactly(price, per) : null
}

/** A supplier's terms for a product at a plant, from its info record. */
export interface PurchasingTerms {
  supplier: string
  supplierSku: string | null
  orderUnit: string | null
  /** Of one order unit. */
  orderPrice: Exact | null
  /** Calendar days; 0 where not maintained. */
  deliveryDays: number
  /** From order units to base units. */
  conversion: Conversion
  /** In base units; 0 for none. */
  minimum: Exact
  /** Per base unit; null without a price, or where the price unit cannot be converted. */
  cost: Exact | null
  currency: string | null
}
